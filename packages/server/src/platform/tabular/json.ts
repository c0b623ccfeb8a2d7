import type { TabularBatch, TabularColumn } from './cell-text.ts';

/** Writes batches as one JSON array of objects keyed by column name. */
export async function* jsonOf(
  columns: readonly TabularColumn[],
  batches: AsyncIterable<TabularBatch>,
): AsyncGenerator<string> {
  const keys = columns.map((column) => `${JSON.stringify(column.name)}:`);
  let separator = '[';
  for await (const batch of batches) {
    const rows: string[] = [];
    for (let index = 0; index < batch.rowCount; index += 1) {
      rows.push(
        `{${batch.columns.map((column, position) => keys[position] + JSON.stringify(column[index] ?? null)).join()}}`,
      );
    }
    if (rows.length === 0) continue;
    yield separator + rows.join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}
