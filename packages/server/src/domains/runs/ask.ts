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
import { ColumnsMissing, type OpenMemory, type RowMemories } from '../row-memory/index.ts';
import type { RowRouter, RowRoutings } from '../row-routing/index.ts';
import { type RunTimings, timingsOf } from '../run-history/index.ts';
import {
  type FoundResult,
  type FrozenMessages,
  findOwnResults,
  findResult,
  type OwnResult,
  ownFileNo,
  perRowKept,
  restNo,
} from '../run-messages/index.ts';
import { isTimeLimit, RoutingColumnMissing } from './failure.ts';
import { type RunToExecute, saveTimings } from './store.ts';

/** Result of a run's query: the rows to report, and the count of all rows. */
export type AskedResult = FoundResult & {
  /** Number of rows in the result, reported or not. */
  readonly resultCount: number;
  readonly executionTimeMs: number;
  readonly timings: RunTimings;
  /** Stored rows that the result was compared with; null for every trigger except `OnRowChange`. */
  readonly memory: OpenMemory | null;
  /** Rows of each recipient, and the number of rows without one. Null: all recipients get all rows. */
  readonly routed: { readonly own: readonly OwnResult[]; readonly unroutedCount: number } | null;
  /** Numbers of the messages with files. */
  readonly fileNos: readonly number[];
};

export type AskDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly runSql: RunSql;
  readonly messages: Pick<FrozenMessages, 'keepFile' | 'dropFiles'>;
  readonly memories: RowMemories;
  readonly routings: Pick<RowRoutings, 'open'>;
  readonly limits: { readonly maxExecutionRows: number };
  readonly masking: MaskingRules;
};

export type AskBounds = {
  readonly timeoutMs: number;
  /** Number of rows to collect from the result. */
  readonly keptRows: number;
  readonly signal: AbortSignal;
};

/** Executes the query of a run and reads its result once. Returns undefined after its time limit. */
export const createAsk =
  (deps: AskDeps) =>
  async (run: RunToExecute, plan: SavedQueryPlan, bounds: AskBounds): Promise<AskedResult | undefined> => {
    const askedAt = deps.clock.now();
    try {
      return await walk(deps, askedAt, run, plan, bounds);
    } catch (error) {
      if (error instanceof RunSqlRefusal) await saveTimings(deps.database, run, timingsOf(askedAt, error));
      if (bounds.signal.aborted || !isTimeLimit(error)) throw error;
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run timed out');
      return undefined;
    }
  };

/** @throws ColumnsMissing, RoutingColumnMissing, RoutesUnreadable, TooManyKeys, and refusals of the run-SQL gateway. */
async function walk(
  deps: AskDeps,
  askedAt: Date,
  run: RunToExecute,
  plan: SavedQueryPlan,
  { timeoutMs, keptRows, signal }: AskBounds,
): Promise<AskedResult> {
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
  const collection = await take(deps, run, memory ? memory.apply(result) : result, { router, keptRows });
  const finished = await result.finished;
  const { executionTimeMs, repairedCount, rowCount: resultCount } = finished;
  if (repairedCount > 0)
    deps.log.info(
      { runId: run.id, repairedCount },
      'values of a result hold characters that cannot be stored; U+FFFD stands in their place',
    );
  return { ...collection, resultCount, executionTimeMs, timings: timingsOf(askedAt, finished), memory };
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
async function take(
  deps: AskDeps,
  run: RunToExecute,
  result: RunResult,
  { router, keptRows }: { readonly router: RowRouter | null; readonly keptRows: number },
): Promise<Pick<AskedResult, 'collected' | 'attachment' | 'routed' | 'fileNos'>> {
  const isPerRow = run.rowMemory?.delivery === 'PerRow';
  if (!router) {
    const fileOfMessage = isPerRow ? restNo : 0;
    const collection = await findResult(deps.messages, run, result, {
      keptRows: isPerRow ? Math.max(keptRows, perRowKept) : keptRows,
      fileOfMessage,
    });
    return { ...collection, routed: null, fileNos: collection.attachment ? [fileOfMessage] : [] };
  }
  const fileNoOf = (place: number) => ownFileNo(place, isPerRow);
  // Files of an interrupted attempt may belong to recipients without rows.
  if (run.attachmentFormat !== null) await deps.messages.dropFiles(run);
  const { collected, own, unroutedCount } = await findOwnResults(deps.messages, run, result, {
    router,
    keptRows,
    fileNoOf,
    ownRows: isPerRow ? perRowKept : previewRowsMax,
    hasChanges: run.rowMemory !== null,
  });
  return {
    collected,
    attachment: undefined,
    routed: { own, unroutedCount },
    fileNos: own.flatMap(({ place, attachment }) => (attachment ? [fileNoOf(place)] : [])),
  };
}
