import type { TabularBatch, TabularColumn } from './cell-text.ts';
import { exactNumber, type NumberFormat } from './json-number.ts';

/**
 * Writes batches as one JSON array of objects keyed by column name.
 *
 * @param numbers Form of whole numbers of 64 bits and of decimals. Default `Text`.
 */
export async function* jsonOf(
  columns: readonly TabularColumn[],
  batches: AsyncIterable<TabularBatch>,
  numbers: NumberFormat = 'Text',
): AsyncGenerator<string> {
  const areNumbers = columns.map(({ isNumeric }) => isNumeric === true && numbers === 'Number');
  const jsonCell = (cell: unknown, position: number) =>
    JSON.stringify(areNumbers[position] ? exactNumber(cell) : cell);
  const keys = columns.map((column) => `${JSON.stringify(column.name)}:`);
  let separator = '[';
  for await (const batch of batches) {
    const rows: string[] = [];
    for (let index = 0; index < batch.rowCount; index += 1) {
      rows.push(
        `{${batch.columns.map((column, position) => keys[position] + jsonCell(column[index] ?? null, position)).join()}}`,
      );
    }
    if (rows.length === 0) continue;
    yield separator + rows.join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}
