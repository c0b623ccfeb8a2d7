import type { QueryPreview } from '@svc/contract';
import type { RunResult } from '../../../gateways/run-sql/index.ts';

/** Maximum number of rows that a preview reads. Only exports contain the rows after them. */
export const previewReadMax = 10_000;

/** Maximum number of characters in the rows of one response. The service and the browser buffer all of them. */
export const previewCharactersMax = 16_000_000;

/** Requested rows of a result. */
export type PreviewExtent = { readonly limit: number; readonly offset: number };

export type ReadPage = Omit<QueryPreview, 'versionNumber'>;

/** All rows that a preview reads. */
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
 * Reads the requested rows of a result. It skips the rows before them and counts the rows after them up to a bound. It
 * also counts rows that exceed the size of a response, so that the reader sees how many are missing.
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
      order,
      name,
      outcome,
      rowCount,
      executionTimeMs,
      ...usage,
    })),
  };
}
