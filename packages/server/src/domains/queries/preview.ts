import type { QueryPreview } from '@svc/contract';
import type { RunResult } from '../../doors/run-sql/index.ts';

/** Rows that a preview reads at most: pages behind them are for exports. */
export const previewReadMax = 10_000;

/** Reads one page of a result: rows before it are passed over, rows after it counted up to a bound. */
export async function readPage(
  result: RunResult,
  page: { readonly limit: number; readonly offset: number },
): Promise<QueryPreview> {
  const rows: unknown[][] = [];
  let counted = 0;
  let isComplete = true;
  for await (const batch of result.batches) {
    const first = Math.max(0, page.offset - counted);
    const last = Math.min(batch.rowCount, page.offset + page.limit - counted);
    for (let index = first; index < last; index += 1)
      rows.push(batch.columns.map((column) => column[index] ?? null));
    counted += batch.rowCount;
    if (counted > Math.max(previewReadMax, page.offset + page.limit)) {
      isComplete = false;
      // Leaving the loop cancels the run.
      break;
    }
  }
  const finished = await result.finished;
  const masked = new Set(finished.maskedColumns);
  return {
    columns: result.columns.map(({ name, kind, databaseType }) => ({
      name,
      kind,
      databaseType,
      isMasked: masked.has(name),
    })),
    rows,
    page: Math.floor(page.offset / page.limit),
    pageSize: page.limit,
    totalCount: counted,
    pageCount: Math.ceil(counted / page.limit),
    isComplete,
    executionTimeMs: finished.executionTimeMs,
    steps: finished.stepResults.map(({ order, name, outcome, rowCount, executionTimeMs }) => ({
      order,
      name,
      outcome,
      rowCount,
      executionTimeMs,
    })),
  };
}
