import type { CellKind } from '@svc/channels';
import type { RunColumn, RunResult } from '../../gateways/run-sql/index.ts';
import type { TabularBatch } from '../../platform/tabular/index.ts';

/** Collected part of a result: the count of all rows, and the first rows. */
export type CollectedResult = {
  readonly columns: readonly string[];
  /** Kinds of the columns, in the same order. */
  readonly kinds: readonly CellKind[];
  /** First rows, aligned with `columns`; fewer than requested if they are too large. */
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number;
};

/** Maximum size of the collected rows of one run, in bytes of JSON text. */
const keptBytesMax = 4_194_304;

/**
 * Reads a result to its end, counts every row and collects the first `keptRows`. No other row remains in memory.
 *
 * @param also  Reads the same batches to their end.
 * @throws RunSqlRefusal when the run fails midway, and errors of `also`.
 */
export async function collect(
  result: RunResult,
  keptRows: number,
  also: (batches: AsyncIterable<TabularBatch>) => Promise<void> = readThrough,
): Promise<CollectedResult> {
  const rows: unknown[][] = [];
  let rowCount = 0;
  let keptBytes = 0;
  let isCutBySize = false;
  async function* counted(): AsyncGenerator<TabularBatch> {
    for await (const batch of result.batches) {
      for (let index = 0; index < batch.rowCount && rows.length < keptRows && !isCutBySize; index += 1) {
        const row = batch.columns.map((column) => column[index] ?? null);
        keptBytes += sizeOf(row);
        if (keptBytes > keptBytesMax) isCutBySize = true;
        else rows.push(row);
      }
      rowCount += batch.rowCount;
      yield batch;
    }
  }
  await also(counted());
  const { columns } = result;
  return { columns: columns.map(({ name }) => name), kinds: columns.map(cellKindOf), rows, rowCount };
}

const cellKindOf = ({ kind }: RunColumn): CellKind =>
  kind === 'json' ? 'json' : kind === 'integer' || kind === 'decimal' ? 'exactNumber' : 'plain';

async function readThrough(batches: AsyncIterable<TabularBatch>): Promise<void> {
  for await (const _batch of batches);
}

/** Returns the approximate size of a row as JSON text, in bytes. */
export const sizeOf = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length + 3 : 12), 2);
