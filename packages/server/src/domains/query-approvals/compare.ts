import type { ResultComparison } from '@svc/contract';
import { fingerprintBytes, type RunResult, refusingOverHttp } from '../../doors/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { QueriesService } from '../queries/index.ts';
import { differenceOf } from './difference.ts';

/** Rows of each result that are compared; the rest is not read. */
const readMax = 10_000;
/** Characters of each result that are kept while it is compared. */
const charactersMax = 16_000_000;

export type ComparingRuns = Pick<QueriesService, 'runStored'>;
type Runnable = Parameters<ComparingRuns['runStored']>[1];

/** A result as it was read: masked, with a code of each row's true cells. */
export type ReadResult = {
  readonly columns: readonly { readonly name: string; readonly databaseType: string }[];
  readonly maskedColumns: ReadonlySet<string>;
  readonly rows: readonly unknown[][];
  /** Equal for rows whose true cells are equal, in this order of columns. */
  readonly codes: readonly string[];
  readonly totalCount: number;
  readonly isComplete: boolean;
  readonly executionTimeMs: number;
};

export type CompareRequest = {
  readonly caller: Caller;
  /** What the codes of rows belong to. */
  readonly domain: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** Runs both, one after the other, through the door of every preview; masked as everywhere. */
export function compareResults(
  runs: ComparingRuns,
  { caller, domain, values, signal }: CompareRequest,
  before: Runnable | undefined,
  after: Runnable,
): Promise<ResultComparison> {
  const read = async (query: Runnable): Promise<ReadResult> => {
    const names = new Set(query.parameters.map(({ name }) => name));
    // A parameter that only the other side has means nothing here.
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
    const codes = { domain, keyColumns: null, watchedColumns: [], routeColumn: null };
    return readRows(await runs.runStored(caller, query, own, codes, signal));
  };
  return refusingOverHttp(async () => differenceOf(before && (await read(before)), await read(after)));
}

async function readRows(result: RunResult): Promise<ReadResult> {
  const rows: unknown[][] = [];
  const codes: string[] = [];
  let characters = 0;
  let isComplete = true;
  for await (const batch of result.batches) {
    const keys = batch.fingerprints?.[0]?.keys;
    for (let index = 0; index < batch.rowCount && isComplete; index += 1) {
      const row = batch.columns.map((column) => column[index] ?? null);
      characters += JSON.stringify(row).length;
      if (rows.length === readMax || characters > charactersMax) isComplete = false;
      else {
        rows.push(row);
        codes.push(
          keys?.toString('base64', index * fingerprintBytes.key, (index + 1) * fingerprintBytes.key) ?? '',
        );
      }
    }
    // Leaving the loop cancels the run.
    if (!isComplete) break;
  }
  const finished = await result.finished;
  return {
    columns: result.columns.map(({ name, databaseType }) => ({ name, databaseType })),
    maskedColumns: new Set(finished.maskedColumns),
    rows,
    codes,
    totalCount: rows.length,
    isComplete,
    executionTimeMs: finished.executionTimeMs,
  };
}
