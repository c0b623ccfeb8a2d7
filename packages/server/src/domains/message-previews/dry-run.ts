import { type Attachment, previewRowsMax } from '@svc/channels';
import { type MaskingRules, type RunSql, refusingOverHttp } from '../../gateways/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import { foreseeAlert } from '../alerts/index.ts';
import { assessCount } from '../anomalies/index.ts';
import type { QueryRunPlan } from '../queries/index.ts';
import { type RowMemories, TooManyKeys } from '../row-memory/index.ts';
import { type RowRoutings, refusingUnreadable } from '../row-routing/index.ts';
import { commentOf, type RunReason } from '../run-history/index.ts';
import { attachmentHead, collect, findOwnResults, notificationUrl } from '../run-messages/index.ts';
import {
  type AskedResult,
  composeMessages,
  decide,
  fingerprintsFor,
  hasRows,
  previousResultCount,
} from '../runs/index.ts';
import { chosenOf, type Previewed } from './previewed.ts';
import type { PreviewedSubscription } from './store.ts';

/** Time limit of a dry run, because a user waits for it. */
const dryRunSecondsMax = 120;
/** Placeholder id: a dry run creates no run. */
const noRun = 0;

export type DryRunDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly runSql: RunSql;
  readonly planQuery: (
    executor: Executor,
    queryId: number,
  ) => Promise<QueryRunPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'>;
  readonly memories: RowMemories;
  readonly routings: Pick<RowRoutings, 'open'>;
  readonly baseUrl: () => Promise<string | undefined>;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

export type FromDryRun = (
  caller: Caller,
  subscription: PreviewedSubscription,
  recipientId: number | null,
  signal: AbortSignal,
) => Promise<Previewed>;

const cannotRun = (facts: RunReason) =>
  conflict('query-cannot-run', commentOf({ reason: facts.reason, detail: facts }) ?? '');

/** Creates the preview that executes the query and builds the messages. It notifies no recipient and stores no run. */
export function createFromDryRun(deps: DryRunDeps): FromDryRun {
  const { database } = deps;

  const ask = async (
    caller: Caller,
    subscription: PreviewedSubscription,
    plan: QueryRunPlan,
    signal: AbortSignal,
  ) => {
    const { rowMemory, subscriptionId } = subscription;
    const seconds = Math.min(subscription.timeoutSeconds ?? deps.limits.timeoutSeconds, dryRunSecondsMax);
    const memory = rowMemory && (await deps.memories.open(subscriptionId, rowMemory));
    const domain = memory?.fingerprints.domain ?? subscriptionId;
    const router = await refusingUnreadable(() => deps.routings.open(database, subscriptionId, domain));
    const fingerprints = fingerprintsFor(memory, router);
    const result = await deps.runSql.run({
      ...plan.request,
      parameters: { declared: plan.parameters, values: subscription.parameters },
      limits: { timeoutMs: seconds * 1_000, maxRows: deps.limits.maxExecutionRows },
      masking: deps.masking,
      signal,
      callerId: `user ${caller.userId ?? caller.kind}`,
      ...(fingerprints && { fingerprints }),
    });
    const { missingColumns } = result;
    if (missingColumns.length > 0) {
      await result.close();
      throw router && missingColumns.includes(router.column)
        ? cannotRun({ reason: 'RoutingColumnMissing', column: router.column })
        : cannotRun({ reason: 'KeyColumnMissing', columns: missingColumns });
    }
    const shown = memory ? memory.apply(result) : result;
    const routed = router
      ? await findOwnResults(noFiles, { ...subscription, ...noRunKey(deps.clock) }, shown, {
          router,
          keptRows: previewRowsMax,
          ownRows: previewRowsMax,
          hasChanges: memory !== null,
          fileNoOf: null,
        })
      : null;
    const collected = routed?.collected ?? (await collect(shown, previewRowsMax));
    const { executionTimeMs, rowCount: resultCount } = await result.finished;
    return { collected, routed, executionTimeMs, resultCount, rows: memory?.finding() ?? null };
  };

  return async (caller, subscription, recipientId, signal) => {
    const { alert: rule, subscriptionId, minimumRowCount } = subscription;
    const plan = await deps.planQuery(database, subscription.queryId);
    if (typeof plan === 'string') throw cannotRun({ reason: plan });
    const result = await refusingOverHttp(() => ask(caller, subscription, plan, signal)).catch(
      (error: unknown) => {
        throw error instanceof TooManyKeys
          ? conflict('query-cannot-run', 'The result has more rows than can be remembered.')
          : error;
      },
    );
    const { resultCount, rows } = result;
    const now = deps.clock.now();
    const previous = await previousResultCount(database, subscriptionId, {
      id: Number.MAX_SAFE_INTEGER,
      dueAt: now,
    });
    const assessment = await assessCount(database, subscription, { dueAt: now, count: resultCount });
    const subject = { kind: 'Subscription', id: subscriptionId } as const;
    const isBad = hasRows({ resultCount, minimumRowCount });
    const alert = rule && (await foreseeAlert(database, { subject, rule, isBad }, now));
    const url = notificationUrl(await deps.baseUrl(), noRun);
    const composed = composeMessages(
      // Without row memory, one message shows all rows.
      { ...subscription, rowMemory: null },
      plan,
      withFiles(subscription, result),
      { previous, assessment, alert, rows, timestamp: now, notificationUrl: url },
    );
    const decision = decide({
      ...subscription,
      assessment,
      alert,
      rows,
      resultCount,
      previousResultCount: previous,
    });
    const outcome = decision === 'Notify' && composed.isNothingRouted ? 'Silenced' : decision;
    if (!result.routed) return { message: composed.message, outcome, notificationId: null, routed: null };
    const { own, unroutedCount } = result.routed;
    const isForAll = composed.own.length === 0 && !composed.isNothingRouted;
    const shownRecipientId = isForAll ? null : chosenOf(own, recipientId);
    const message = composed.own.find((each) => each.recipientId === shownRecipientId)?.message;
    return {
      message: message ?? composed.message,
      outcome,
      notificationId: null,
      routed: {
        shares: own,
        unroutedCount,
        recipientId: shownRecipientId,
        isSent: isForAll || message !== undefined,
      },
    };
  };
}

const noRunKey = (clock: Clock) => ({ id: noRun, dueAt: clock.now() });

const noFiles = { keepFile: () => Promise.reject(new Error('A preview has no file.')) };

type Found = Pick<AskedResult, 'collected' | 'executionTimeMs' | 'routed'>;

/** Adds the files that the messages would contain, with their names and row counts. */
function withFiles(subscription: PreviewedSubscription, result: Found) {
  const { attachmentFormat: format, maxRows, queryName } = subscription;
  const fileOf = (rowCount: number): Attachment | undefined =>
    format === null
      ? undefined
      : {
          ...attachmentHead(queryName, format),
          rowCount: Math.min(rowCount, maxRows ?? rowCount),
          read: noFiles.keepFile,
        };
  const { collected, executionTimeMs, routed } = result;
  return {
    collected,
    executionTimeMs,
    attachment: fileOf(collected.rowCount),
    routed: routed && {
      ...routed,
      own: routed.own.map((each) => ({ ...each, attachment: fileOf(each.rowCount) })),
    },
  };
}
