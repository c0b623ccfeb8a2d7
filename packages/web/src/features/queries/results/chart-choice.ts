import { isNumber, isTime, type ResultColumn } from '../../../views/results/cells.ts';

export const aggregates = ['Sum', 'Mean', 'Minimum', 'Maximum', 'Rows'] as const;
/** Function that aggregates the rows of one point. `Rows` counts the rows and ignores their values. */
export type Aggregate = (typeof aggregates)[number];

export const timeUnits = ['Exact', 'Hour', 'Day', 'Week', 'Month', 'Year'] as const;
/** Length of one point on a time axis. */
export type TimeUnit = (typeof timeUnits)[number];

/** Maximum number of lines or bars in one chart. More are difficult to distinguish. */
export const measuresMax = 4;

export type ChartChoice = {
  readonly x: number;
  readonly measures: readonly number[];
  readonly kind: 'line' | 'bar';
  readonly aggregate: Aggregate;
  readonly unit: TimeUnit;
};

/** Returns true for columns that a time axis can show. Times of day are excluded. */
export const isDated = (column: ResultColumn): boolean => isTime(column) && column.kind !== 'time';

/**
 * Returns a default chart: a time or text column on the x-axis, the first numeric column on the y-axis. Undefined
 * without a numeric column.
 */
export function firstChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const time = columns.findIndex(isDated);
  const category = columns.findIndex((column) => !isNumber(column) && !isDated(column));
  const numbers = columns.flatMap((column, index) => (isNumber(column) ? [index] : []));
  const x = time !== -1 ? time : category !== -1 ? category : (numbers[0] ?? -1);
  const y =
    numbers.find((index) => index !== x && !/(^|_)id$/i.test(columns[index]?.name ?? '')) ??
    numbers.find((index) => index !== x);
  if (x === -1 || y === undefined) return undefined;
  return { x, measures: [y], kind: time !== -1 ? 'line' : 'bar', aggregate: 'Sum', unit: 'Exact' };
}

/** Serializes a choice by column names, because column positions may change with the query. */
export function writeChoice(columns: readonly ResultColumn[], choice: ChartChoice): string {
  const name = (index: number): string => columns[index]?.name ?? '';
  return JSON.stringify({ ...choice, x: name(choice.x), measures: choice.measures.map(name) });
}

/** Parses a choice. Undefined if the result does not have its columns. */
export function readChoice(
  columns: readonly ResultColumn[],
  text: string | undefined,
): ChartChoice | undefined {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { x, measures, kind, aggregate, unit } = stored as Partial<Record<keyof ChartChoice, unknown>>;
  const placeOf = (name: unknown) => columns.findIndex((column) => column.name === name);
  const places = (Array.isArray(measures) ? measures : [])
    .map(placeOf)
    .filter((place) => place !== -1 && isNumber(columns[place] as ResultColumn))
    .slice(0, measuresMax);
  const across = placeOf(x);
  if (across === -1 || places.length === 0) return undefined;
  return {
    x: across,
    measures: places,
    kind: kind === 'line' ? 'line' : 'bar',
    aggregate: aggregates.find((each) => each === aggregate) ?? 'Sum',
    unit: timeUnits.find((each) => each === unit) ?? 'Exact',
  };
}
