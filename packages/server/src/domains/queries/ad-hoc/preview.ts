import type { QueryPreview } from '@svc/contract';
import type { RunResult } from '../../../doors/run-sql/index.ts';

/** Rows that a preview reads at most: pages behind them are for exports. */
export const previewReadMax = 10_000;

/** Characters of a whole result that one answer holds: a browser keeps them all, and the service before it. */
export const previewCharactersMax = 16_000_000;

/** The rows of a result that are asked for. */
export type PreviewExtent = { readonly limit: number; readonly offset: number };

/** What was read of a result. */
export type ReadPage = Omit<QueryPreview, 'versionNumber'>;

/** Every row that a preview reads. */
export const wholePreview: PreviewExtent = { limit: previewReadMax, offset: 0 };

const numberCharacters = 8;
const charactersOf = (row: readonly unknown[]): number =>
  row.reduce<number>(
    (sum, cell) =>
      sum +
      (typeof cell === 'string'
        ? cell.length
        : typeof cell === 'object' && cell !== null
          ? JSON.stringify(cell).length
          : numberCharacters),
    0,
  );

/**
 * Reads the wanted rows of a result: rows before them are passed over, rows after them counted up to a bound. Rows
 * behind those that fill an answer are counted, too, so that whoever reads it sees how many are missing.
 */
export async function readPage(result: RunResult, page: PreviewExtent): Promise<ReadPage> {
  const rows: unknown[][] = [];
  let counted = 0;
  let characters = 0;
  let isComplete = true;
  for await (const batch of result.batches) {
    const first = Math.max(0, page.offset - counted);
    const last = Math.min(batch.rowCount, page.offset + page.limit - counted);
    for (let index = first; index < last && characters < previewCharactersMax; index += 1) {
      const row = batch.columns.map((column) => column[index] ?? null);
      characters += charactersOf(row);
      rows.push(row);
    }
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
      maskedReason: finished.maskingReasons.get(name) ?? null,
    })),
    rows,
    page: Math.floor(page.offset / page.limit),
    pageSize: page.limit,
    totalCount: counted,
    pageCount: Math.ceil(counted / page.limit),
    isComplete,
    executionTimeMs: finished.executionTimeMs,
    steps: finished.stepResults.map(({ order, name, outcome, rowCount, executionTimeMs, usage }) => ({
      ...{ order, name, outcome, rowCount, executionTimeMs },
      ...usage,
    })),
  };
}
