import { previewRowsMax } from '@svc/channels';
import {
  type FingerprintRequest,
  type MaskingRules,
  type RunResult,
  type RunSql,
  RunSqlRefusal,
} from '../../gateways/run-sql/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { SavedQueryPlan } from '../queries/index.ts';
import { ColumnsMissing, type OpenMemory, type RowChanges, type RowMemories } from '../row-memory/index.ts';
import type { RowRouter, RowRoutings } from '../row-routing/index.ts';
import { type RunTimings, timingsOf } from '../run-history/index.ts';
import {
  type FrozenMessages,
  type OwnResult,
  ownFileNo,
  perRowCollectedMax,
  type ResultContent,
  readOwnResults,
  readResult,
  restNo,
} from '../run-messages/index.ts';
import { isTimeLimit, RoutingColumnMissing } from './failure.ts';
import { collectedRowsMaxOf } from './settlement/stored-results.ts';
import type { RunToExecute } from './store/load-run.ts';
import { saveTimings } from './store/save-outcome.ts';
import { timeoutSecondsOf } from './timed-out.ts';

/** Result of a finished query: the rows to report, and the count of all rows. */
export type QueryResult = ResultContent & {
  readonly kind: 'Completed';
  /** Number of rows in the result, reported or not. */
  readonly resultCount: number;
  readonly executionTimeMs: number;
  readonly timings: RunTimings;
  /** Changes since the stored rows; null for every trigger except `OnRowChange`. */
  readonly memory: ComparedMemory | null;
  /** Rows of each recipient, and the number of rows without one. Null: all recipients get all rows. */
  readonly routed: { readonly results: readonly OwnResult[]; readonly unroutedCount: number } | null;
  /** Numbers of the messages with files. */
  readonly fileNos: readonly number[];
};

/** Row memory after the comparison with a result. */
export type ComparedMemory = Pick<OpenMemory, 'stage'> & { readonly changes: RowChanges };

/** A query that its time limit ended. It has no rows and no counts. */
export type QueryTimeout = { readonly kind: 'TimedOut'; readonly seconds: number };

export type ExecuteQueryDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly runSql: RunSql;
  readonly messages: Pick<FrozenMessages, 'storeFile' | 'dropFiles'>;
  readonly memories: RowMemories;
  readonly routings: Pick<RowRoutings, 'open'>;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

/** Creates the function that executes the query of a run and reads its result once. */
export const createExecuteQuery =
  (deps: ExecuteQueryDeps) =>
  async (
    run: RunToExecute,
    plan: SavedQueryPlan,
    signal: AbortSignal,
  ): Promise<QueryResult | QueryTimeout> => {
    const startedAt = deps.clock.now();
    const seconds = timeoutSecondsOf(run, deps.limits);
    try {
      return await execute(deps, run, plan, { startedAt, timeoutMs: seconds * 1_000, signal });
    } catch (error) {
      if (error instanceof RunSqlRefusal) await saveTimings(deps.database, run, timingsOf(startedAt, error));
      if (signal.aborted || !isTimeLimit(error)) throw error;
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run timed out');
      return { kind: 'TimedOut', seconds };
    }
  };

/** @throws ColumnsMissing, RoutingColumnMissing, RoutesUnreadable, TooManyKeys, and refusals of the run-SQL gateway. */
async function execute(
  deps: ExecuteQueryDeps,
  run: RunToExecute,
  plan: SavedQueryPlan,
  {
    startedAt,
    timeoutMs,
    signal,
  }: { readonly startedAt: Date; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<QueryResult> {
  const memory = run.rowMemory && (await deps.memories.open(run.subscriptionId, run.rowMemory));
  const domain = memory?.fingerprints.domain ?? run.subscriptionId;
  const router = await deps.routings.open(deps.database, run.subscriptionId, domain);
  const fingerprints = fingerprintsFor(memory, router);
  const result = await deps.runSql.run({
    ...plan.request,
    parameters: { declared: plan.parameters, values: run.parameters },
    limits: { timeoutMs, maxRows: deps.limits.maxExecutionRows },
    masking: deps.masking,
    signal,
    ...(fingerprints && { fingerprints }),
  });
  if (result.missingColumns.length > 0) {
    await result.close();
    const isOfRouting = router !== null && result.missingColumns.includes(router.column);
    throw isOfRouting ? new RoutingColumnMissing(router.column) : new ColumnsMissing(result.missingColumns);
  }
  const content = await readRows(deps, run, memory ? memory.apply(result) : result, router);
  const finished = await result.finished;
  const { executionTimeMs, repairedCount, rowCount: resultCount } = finished;
  if (repairedCount > 0)
    deps.log.info(
      { runId: run.id, repairedCount },
      'values of a result hold characters that cannot be stored; U+FFFD stands in their place',
    );
  return {
    kind: 'Completed',
    ...content,
    resultCount,
    executionTimeMs,
    timings: timingsOf(startedAt, finished),
    memory: memory && { stage: memory.stage, changes: memory.changes() },
  };
}

/** Returns the fingerprints of unmasked cells to request: for the comparison of rows, and for their routing. */
export function fingerprintsFor(
  memory: Pick<OpenMemory, 'fingerprints'> | null,
  router: Pick<RowRouter, 'fingerprints' | 'column'> | null,
): FingerprintRequest | undefined {
  if (!memory) return router?.fingerprints;
  return { ...memory.fingerprints, routeColumn: router?.column ?? null };
}

/** Reads the rows to report, for all recipients together or for each recipient. */
async function readRows(
  deps: ExecuteQueryDeps,
  run: RunToExecute,
  result: RunResult,
  router: RowRouter | null,
): Promise<Pick<QueryResult, 'collected' | 'attachment' | 'routed' | 'fileNos'>> {
  const isPerRow = run.rowMemory?.delivery === 'PerRow';
  const collectedRowsMax = collectedRowsMaxOf(run);
  if (!router) {
    const fileOfMessage = isPerRow ? restNo : 0;
    const content = await readResult(deps.messages, run, result, {
      collectedRowsMax: isPerRow ? Math.max(collectedRowsMax, perRowCollectedMax) : collectedRowsMax,
      fileOfMessage,
    });
    return { ...content, routed: null, fileNos: content.attachment ? [fileOfMessage] : [] };
  }
  const fileNoOf = (place: number) => ownFileNo(place, isPerRow);
  // Files of an interrupted attempt may belong to recipients without rows.
  if (run.attachmentFormat !== null) await deps.messages.dropFiles(run);
  const { collected, results, unroutedCount } = await readOwnResults(deps.messages, run, result, {
    router,
    collectedRowsMax,
    fileNoOf,
    ownRowsMax: isPerRow ? perRowCollectedMax : previewRowsMax,
    hasChanges: run.rowMemory !== null,
  });
  return {
    collected,
    attachment: undefined,
    routed: { results, unroutedCount },
    fileNos: results.flatMap(({ place, attachment }) => (attachment ? [fileNoOf(place)] : [])),
  };
}
