import { previewRowsMax } from '@svc/channels';
import {
  type FingerprintRequest,
  type MaskingRules,
  type RunResult,
  type RunSql,
  RunSqlRefusal,
} from '../../doors/run-sql/index.ts';
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

/** What the query of a run found: the rows that are to be told, and how many there were in all. */
export type AskedResult = FoundResult & {
  /** Rows of the result, told or not. */
  readonly resultCount: number;
  readonly executionTimeMs: number;
  readonly timings: RunTimings;
  /** What its rows were compared with; null with every trigger but `OnRowChange`. */
  readonly memory: OpenMemory | null;
  /** Where recipients get rows of their own: which, and how many nobody gets. Null: all get all. */
  readonly routed: { readonly own: readonly OwnResult[]; readonly unroutedCount: number } | null;
  /** Numbers of the messages that files were written for. */
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
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run timed out');
      return undefined;
    }
  };

/** @throws ColumnsMissing, RoutingColumnMissing, RoutesUnreadable, TooManyKeys, and what the run-SQL door refuses. */
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
  const found = await take(deps, run, memory ? memory.apply(result) : result, { router, keptRows });
  const finished = await result.finished;
  const { executionTimeMs, repairedCount, rowCount: resultCount } = finished;
  if (repairedCount > 0)
    deps.log.info(
      { runId: run.id, repairedCount },
      'values of a result hold characters that cannot be stored; U+FFFD stands in their place',
    );
  return { ...found, resultCount, executionTimeMs, timings: timingsOf(askedAt, finished), memory };
}

/** What the run-SQL door makes of the true cells: what rows are compared by, and what routes them. */
export function fingerprintsFor(
  memory: Pick<OpenMemory, 'fingerprints'> | null,
  router: Pick<RowRouter, 'fingerprints' | 'column'> | null,
): FingerprintRequest | undefined {
  if (!memory) return router?.fingerprints;
  return { ...memory.fingerprints, routeColumn: router?.column ?? null };
}

/** Walks the rows that are to be told, for everybody or for each recipient. */
async function take(
  deps: AskDeps,
  run: RunToExecute,
  result: RunResult,
  { router, keptRows }: { readonly router: RowRouter | null; readonly keptRows: number },
): Promise<Pick<AskedResult, 'collected' | 'attachment' | 'routed' | 'fileNos'>> {
  const isPerRow = run.rowMemory?.delivery === 'PerRow';
  if (!router) {
    const fileOfMessage = isPerRow ? restNo : 0;
    const found = await findResult(deps.messages, run, result, {
      keptRows: isPerRow ? Math.max(keptRows, perRowKept) : keptRows,
      fileOfMessage,
    });
    return { ...found, routed: null, fileNos: found.attachment ? [fileOfMessage] : [] };
  }
  const fileNoOf = (place: number) => ownFileNo(place, isPerRow);
  // What an interrupted attempt left behind may be of recipients that have no rows any more.
  if (run.attachmentFormat !== null) await deps.messages.dropFiles(run);
  const { collected, own, unroutedCount } = await findOwnResults(deps.messages, run, result, {
    ...{ router, keptRows, fileNoOf },
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
