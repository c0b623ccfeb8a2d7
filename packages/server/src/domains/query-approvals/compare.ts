import type { ResultComparison } from '@svc/contract';
import { fingerprintBytes, type RunResult, refusingOverHttp } from '../../gateways/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { QueriesService } from '../queries/index.ts';
import { differenceOf } from './difference.ts';

/** Maximum number of rows that are read and compared in each result. */
const readMax = 10_000;
/** Maximum number of characters of each result in memory during the comparison. */
const charactersMax = 16_000_000;

export type ComparingRuns = Pick<QueriesService, 'runStored'>;
type Runnable = Parameters<ComparingRuns['runStored']>[1];

/** Masked result, with a code of each row's unmasked cells. */
export type ReadResult = {
  readonly columns: readonly { readonly name: string; readonly databaseType: string }[];
  readonly maskedColumns: ReadonlySet<string>;
  readonly rows: readonly unknown[][];
  /** Equal for rows with equal unmasked cells in this order of columns. */
  readonly codes: readonly string[];
  readonly totalCount: number;
  readonly isComplete: boolean;
  readonly executionTimeMs: number;
};

export type CompareRequest = {
  readonly caller: Caller;
  /** Scope of the row codes. */
  readonly domain: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** Runs both definitions one after the other through the gateway of all previews. Results are masked as usual. */
export function compareResults(
  runs: ComparingRuns,
  { caller, domain, values, signal }: CompareRequest,
  before: Runnable | undefined,
  after: Runnable,
): Promise<ResultComparison> {
  const read = async (query: Runnable): Promise<ReadResult> => {
    const names = new Set(query.parameters.map(({ name }) => name));
    // Values of parameters that only the other definition declares are ignored.
    const declaredValues = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
    const codes = { domain, keyColumns: null, watchedColumns: [], routeColumn: null };
    return readRows(await runs.runStored(caller, query, declaredValues, codes, signal));
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
