import { isNumber, isTime, type ResultColumn } from '../../../views/results/cells.ts';

export type ChartChoice = { readonly x: number; readonly y: number; readonly kind: 'line' | 'bar' };

/** A first chart that makes sense: time or words across, the first number upwards; undefined without a number. */
export function firstChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const time = columns.findIndex(isTime);
  const word = columns.findIndex((column) => !isNumber(column) && !isTime(column));
  const numbers = columns.flatMap((column, index) => (isNumber(column) ? [index] : []));
  const x = time !== -1 ? time : word !== -1 ? word : (numbers[0] ?? -1);
  const y =
    numbers.find((index) => index !== x && !/(^|_)id$/i.test(columns[index]?.name ?? '')) ??
    numbers.find((index) => index !== x);
  if (x === -1 || y === undefined) return undefined;
  return { x, y, kind: time !== -1 ? 'line' : 'bar' };
}
