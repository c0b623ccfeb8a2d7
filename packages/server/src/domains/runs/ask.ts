import type { MaskingRules, RunSql } from '../../doors/run-sql/index.ts';
import { RunSqlRefusal } from '../../doors/run-sql/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { SavedQueryPlan } from '../queries/index.ts';
import { ColumnsMissing, type OpenMemory, type RowMemories } from '../row-memory/index.ts';
import { type RunTimings, timingsOf } from '../run-history/index.ts';
import {
  type FoundResult,
  type FrozenMessages,
  findResult,
  perRowKept,
  restNo,
} from '../run-messages/index.ts';
import { isTimeLimit } from './failure.ts';
import { type RunToExecute, saveTimings } from './store.ts';

/** What the query of a run found: the rows that are to be told, and how many there were in all. */
export type AskedResult = FoundResult & {
  /** Rows of the result, told or not. */
  readonly resultCount: number;
  readonly executionTimeMs: number;
  readonly timings: RunTimings;
  /** What its rows were compared with; null with every trigger but `OnRowChange`. */
  readonly memory: OpenMemory | null;
};

export type AskDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly runSql: RunSql;
  readonly messages: Pick<FrozenMessages, 'keepFile'>;
  readonly memories: RowMemories;
  readonly limits: { readonly maxExecutionRows: number };
  readonly masking: MaskingRules;
};

export type AskBounds = {
  readonly timeoutMs: number;
  /** Rows that are kept of the result. */
  readonly keptRows: number;
  readonly signal: AbortSignal;
};

/** Asks the query of a run, and walks its result once. Undefined when its time limit passed. */
export const createAsk =
  (deps: AskDeps) =>
  async (run: RunToExecute, plan: SavedQueryPlan, bounds: AskBounds): Promise<AskedResult | undefined> => {
    const askedAt = deps.clock.now();
    try {
      return await walk(deps, askedAt, run, plan, bounds);
    } catch (error) {
      if (error instanceof RunSqlRefusal) await saveTimings(deps.database, run, timingsOf(askedAt, error));
      if (bounds.signal.aborted || !isTimeLimit(error)) throw error;
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId, err: error }, 'a run timed out');
      return undefined;
    }
  };

/** @throws ColumnsMissing, TooManyKeys, and what the run-SQL door refuses. */
async function walk(
  deps: AskDeps,
  askedAt: Date,
  run: RunToExecute,
  plan: SavedQueryPlan,
  { timeoutMs, keptRows, signal }: AskBounds,
): Promise<AskedResult> {
  const memory = run.rowMemory && (await deps.memories.open(run.subscriptionId, run.rowMemory));
  const result = await deps.runSql.run({
    ...plan.request,
    parameters: { declared: plan.parameters, values: run.parameters },
    limits: { timeoutMs, maxRows: deps.limits.maxExecutionRows },
    masking: deps.masking,
    signal,
    ...(memory && { fingerprints: memory.fingerprints }),
  });
  if (result.missingColumns.length > 0) {
    await result.close();
    throw new ColumnsMissing(result.missingColumns);
  }
  const isPerRow = run.rowMemory?.delivery === 'PerRow';
  const found = await findResult(deps.messages, run, memory ? memory.apply(result) : result, {
    keptRows: isPerRow ? Math.max(keptRows, perRowKept) : keptRows,
    fileOfMessage: isPerRow ? restNo : 0,
  });
  const finished = await result.finished;
  const { executionTimeMs, repairedCount, rowCount: resultCount } = finished;
  if (repairedCount > 0)
    deps.log.info(
      { runId: run.id, repairedCount },
      'values of a result hold characters that cannot be stored; U+FFFD stands in their place',
    );
  return { ...found, resultCount, executionTimeMs, timings: timingsOf(askedAt, finished), memory };
}
