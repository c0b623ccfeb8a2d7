import type { RunStatus } from '@svc/contract';
import type { RunKey } from '../../doors/send/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { saveTold } from '../alerts/index.ts';
import { deliveryResults } from '../deliveries/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { settleMemory } from '../row-memory/index.ts';
import type { RunReason } from '../run-history/index.ts';
import { type EndedRun, finishRun, isRepetition, wasUnrouted } from './store.ts';

/** How a run can end. */
export type EndStatus = Exclude<RunStatus, 'Created'>;

/**
 * A run has ended and stands in the history: what the hub tells as `NotificationCreated` (spec 3 section 6). Told
 * once for each run, after its end is committed, by the process that ended it.
 */
export type NotificationCreated = {
  /** Id of the run: the detail page's. */
  readonly notificationId: number;
  readonly kind: EndStatus;
  /** The subscription's owner, and whoever started the run by hand. */
  readonly userIds: readonly number[];
};

/** Told of what happens to runs. A listener must not throw; it is not waited for. */
export type RunEvents = { readonly notificationCreated: (event: NotificationCreated) => void };

export type RunEndingDeps = {
  readonly database: Database;
  readonly events: RunEvents;
  /** Tells the owner of the subscription, or who stands in where the owner cannot be told. */
  readonly tellResponsible: TellResponsible;
  /** Ends a subscription that can never run again: its schedule goes, its history stays. */
  readonly stopSubscription: (tx: Tx, subscriptionId: number, reason: RunReason['reason']) => Promise<void>;
  /** Does what follows from the failed deliveries of a run. */
  readonly followDeliveries: (tx: Tx, run: RunKey) => Promise<void>;
  /** Opens, brings up to date or resolves the task of the subscription, by what the run found. */
  readonly followRows: (
    tx: Tx,
    found: {
      readonly runId: number;
      readonly subscriptionId: number;
      readonly dueAt: Date;
      readonly resultCount: number;
    },
  ) => Promise<void>;
  /** Has the AI actor that a subscription belongs to think about it, where it does so after runs. */
  readonly thinkAfterRun: (tx: Tx, subscriptionId: number) => Promise<void>;
};

export type RunEnding = {
  readonly end: (run: RunKey, status: EndStatus, reason: RunReason | null) => Promise<void>;
  /** The same in a transaction of the caller, who calls what it resolves to once that is committed. */
  readonly endIn: (tx: Tx, run: RunKey, status: EndStatus, reason: RunReason | null) => Promise<() => void>;
};

/** The one way in which runs end: the record, the notice to whoever answers for it, the event, and what follows from it. */
export function createRunEnding(deps: RunEndingDeps): RunEnding {
  /** Tells of a failure of a subscription's run, once where it fails in the same way again and again. */
  const tellFailure = async (
    tx: Tx,
    run: RunKey,
    subscriptionId: number,
    ended: { readonly status: EndStatus; readonly reason: RunReason | null },
  ): Promise<void> => {
    const { status, reason } = ended;
    const subject = { kind: 'Subscription', id: subscriptionId } as const;
    const notice = { subject, runId: run.id, facts: { ...reason } };
    if (reason?.reason === 'QueryGone') {
      await deps.stopSubscription(tx, subscriptionId, reason.reason);
      return deps.tellResponsible(tx, { ...notice, kind: 'SubscriptionStopped', isRepetition: false });
    }
    const repeats = await isRepetition(tx, subscriptionId, run, { status, reason: reason?.reason ?? null });
    return deps.tellResponsible(tx, { ...notice, kind: 'RunFailed', isRepetition: repeats });
  };

  /** Tells of rows that nobody got, once while there are some in run after run. */
  const tellUnrouted = async (
    tx: Tx,
    run: RunKey,
    subscriptionId: number,
    unroutedCount: number,
  ): Promise<void> =>
    deps.tellResponsible(tx, {
      ...{ kind: 'RowsUnrouted', subject: { kind: 'Subscription', id: subscriptionId }, runId: run.id },
      facts: { count: unroutedCount },
      isRepetition: await wasUnrouted(tx, subscriptionId, run),
    });

  const endIn: RunEnding['endIn'] = async (tx, run, status, reason) => {
    const ended = await finishRun(tx, run, status, reason);
    if (!ended) return () => undefined;
    const { subscriptionId, ownerUserId, startedByUserId, resultCount, unroutedCount } = ended;
    const isFailure = status === 'Failed' || status === 'Timeout';
    if (isFailure && subscriptionId !== null) await tellFailure(tx, run, subscriptionId, { status, reason });
    if (isFailure) await deps.followDeliveries(tx, run);
    if (subscriptionId !== null && unroutedCount !== null && unroutedCount > 0)
      await tellUnrouted(tx, run, subscriptionId, unroutedCount);
    if (subscriptionId !== null && resultCount !== null)
      await deps.followRows(tx, { runId: run.id, subscriptionId, dueAt: run.dueAt, resultCount });
    if (subscriptionId !== null) await deps.thinkAfterRun(tx, subscriptionId);
    await remember(tx, run, ended, { status, reason });
    const userIds = [...new Set([ownerUserId, startedByUserId].filter((id) => id !== null))];
    return () => deps.events.notificationCreated({ notificationId: run.id, kind: status, userIds });
  };
  return {
    endIn,
    end: async (run, status, reason) => {
      const announce = await deps.database.transaction((tx) => endIn(tx, run, status, reason));
      announce();
    },
  };
}

/** Keeps what was told: of the alert, and of the rows that the subscription knows. */
async function remember(
  tx: Tx,
  run: RunKey,
  { subscriptionId, contractId, alertNews, hasStagedRows }: EndedRun,
  { status, reason }: { readonly status: EndStatus; readonly reason: RunReason | null },
): Promise<void> {
  // A delivery that failed can be sent again: the news is told once.
  const id = subscriptionId ?? contractId;
  const isTold = status === 'Sent' || status === 'Failed' || reason?.reason === 'OwnerNotified';
  if (id !== null && alertNews !== null && isTold)
    await saveTold(tx, { kind: subscriptionId === null ? 'Contract' : 'Subscription', id }, alertNews);
  if (subscriptionId !== null && hasStagedRows)
    await settleMemory(tx, {
      ...{ subscriptionId, runId: run.id, status, reason: reason?.reason ?? null },
      hasDeliveries: (await deliveryResults(tx, run)).length > 0,
    });
}
