import type { RunStatus } from '@svc/contract';
import type { RunKey } from '../../gateways/send/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { saveTold } from '../alerts/index.ts';
import { deliveryResults } from '../deliveries/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { settleMemory } from '../row-memory/index.ts';
import type { RunReason } from '../run-history/index.ts';
import { type EndedRun, finishRun, isRepetition, wasUnrouted } from './store.ts';

/** Status of an ended run. */
export type EndStatus = Exclude<RunStatus, 'Created'>;

/**
 * Event for an ended run in the history. The hub sends it as `NotificationCreated` (spec 3 section 6). The process that
 * ended the run sends it once, after the commit.
 */
export type NotificationCreated = {
  /** Id of the run, as on the detail page. */
  readonly notificationId: number;
  readonly kind: EndStatus;
  /** Owner of the subscription, and the user who started the run by hand. */
  readonly userIds: readonly number[];
};

/** Listener for events of runs. It must not throw, and the run does not wait for it. */
export type RunEvents = { readonly notificationCreated: (event: NotificationCreated) => void };

export type RunEndingDeps = {
  readonly database: Database;
  readonly events: RunEvents;
  /** Notifies the owner of the subscription, or other users if the owner cannot be notified. */
  readonly tellResponsible: TellResponsible;
  /** Ends a subscription that can never run again. Removes its schedule and retains its history. */
  readonly stopSubscription: (tx: Tx, subscriptionId: number, reason: RunReason['reason']) => Promise<void>;
  /** Applies the consequences of a run's failed deliveries. */
  readonly followDeliveries: (tx: Tx, run: RunKey) => Promise<void>;
  /** Opens, updates or resolves the task of the subscription, by the result of the run. */
  readonly followRows: (
    tx: Tx,
    result: {
      readonly runId: number;
      readonly subscriptionId: number;
      readonly dueAt: Date;
      readonly resultCount: number;
    },
  ) => Promise<void>;
  /** Makes the AI actor of a subscription think about it, if the actor does so after runs. */
  readonly thinkAfterRun: (tx: Tx, subscriptionId: number) => Promise<void>;
};

export type RunEnding = {
  readonly end: (run: RunKey, status: EndStatus, reason: RunReason | null) => Promise<void>;
  /** Ends a run in the caller's transaction. The caller must call the returned function after the commit. */
  readonly endIn: (tx: Tx, run: RunKey, status: EndStatus, reason: RunReason | null) => Promise<() => void>;
};

/**
 * Creates the only way to end runs. It writes the record, notifies the responsible users, sends the event and applies
 * the consequences.
 */
export function createRunEnding(deps: RunEndingDeps): RunEnding {
  /** Notifies of a failed run. Consecutive failures of the same kind notify once. */
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

  /** Notifies of rows without a recipient. Consecutive runs with unrouted rows notify once. */
  const tellUnrouted = async (
    tx: Tx,
    run: RunKey,
    subscriptionId: number,
    unroutedCount: number,
  ): Promise<void> =>
    deps.tellResponsible(tx, {
      kind: 'RowsUnrouted',
      subject: { kind: 'Subscription', id: subscriptionId },
      runId: run.id,
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

/** Stores the reported state of the alert, and the known rows of the subscription. */
async function remember(
  tx: Tx,
  run: RunKey,
  { subscriptionId, contractId, alertNews, hasStagedRows }: EndedRun,
  { status, reason }: { readonly status: EndStatus; readonly reason: RunReason | null },
): Promise<void> {
  // A failed delivery can be sent again, so the change of the alert counts as reported.
  const id = subscriptionId ?? contractId;
  const isTold = status === 'Sent' || status === 'Failed' || reason?.reason === 'OwnerNotified';
  if (id !== null && alertNews !== null && isTold)
    await saveTold(tx, { kind: subscriptionId === null ? 'Contract' : 'Subscription', id }, alertNews);
  if (subscriptionId !== null && hasStagedRows)
    await settleMemory(tx, {
      subscriptionId,
      runId: run.id,
      status,
      reason: reason?.reason ?? null,
      hasDeliveries: (await deliveryResults(tx, run)).length > 0,
    });
}
