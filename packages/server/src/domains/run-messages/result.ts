import type { CellKind } from '@svc/channels';
import type { RunColumn, RunResult } from '../../doors/run-sql/index.ts';
import type { TabularBatch } from '../../platform/tabular/index.ts';

/** What a run keeps of a result: the count of all rows, and the first ones. */
export type CollectedResult = {
  readonly columns: readonly string[];
  /** Kinds of the columns, aligned with them. */
  readonly kinds: readonly CellKind[];
  /** First rows, row by row, aligned with `columns`; fewer than asked for where they grew too large. */
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number;
};

/** Stored rows of one run at most, as JSON text. */
const keptBytesMax = 4_194_304;

/**
 * Walks a result to its end, counting every row and keeping the first `keptRows`; nothing else stays in memory.
 *
 * @param also  Reads the same rows on their way, to their end.
 * @throws RunSqlRefusal when the run fails on its way, and whatever `also` throws.
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

/** Bytes that a row takes as JSON text, about. */
export const sizeOf = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length + 3 : 12), 2);
