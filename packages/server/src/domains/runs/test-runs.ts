import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { commentOf } from '../run-history/index.ts';
import type { RunEnding } from './ending.ts';
import { insertTestRun, setJob } from './store/create-run.ts';

export type TestRunsDeps = {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** Enqueues the job of a run, in the transaction that creates the run. */
  readonly enqueue: (
    tx: Tx,
    run: { subscriptionId: number; runId: number; runDueAt: Date },
    starter: Caller,
  ) => Promise<string>;
  readonly ending: RunEnding;
  /** Returns the trace of the start, and the request if one exists. */
  readonly startedIn: () => Pick<Parameters<typeof insertTestRun>[1], 'traceId' | 'request'>;
};

/** Fields of a subscription that a manual run needs. */
export type TestedSubscription = {
  readonly id: number;
  readonly queryId: number;
  readonly recipients: readonly { readonly state: string }[];
  readonly createTasks: boolean;
};

export type StartTestRun = (
  caller: Caller,
  subscription: TestedSubscription,
) => Promise<{ id: number; status: 'Created' }>;

/**
 * Creates the start of manual runs. A run that can notify no recipient is recorded as `Skipped` and refused with its
 * reason.
 */
export function createStartTestRun({
  database,
  ending,
  log,
  enqueue,
  startedIn,
}: TestRunsDeps): StartTestRun {
  return async (caller, subscription) => {
    const { id: subscriptionId, queryId, recipients } = subscription;
    // Without recipients, the task itself notifies.
    const isTaskOnly = subscription.createTasks && recipients.length === 0;
    const isRefused = !isTaskOnly && recipients.every((recipient) => recipient.state !== 'Approved');
    const reason = recipients.length === 0 ? 'NoRecipients' : 'NobodyNotified';
    const { id, announce } = await database.transaction(async (tx) => {
      const run = { subscriptionId, queryId, userId: caller.userId, ...startedIn() };
      const created = await insertTestRun(tx, run);
      if (isRefused)
        return { id: created.id, announce: await ending.endIn(tx, created, 'Skipped', { reason }) };
      const payload = { subscriptionId, runId: created.id, runDueAt: created.dueAt };
      await setJob(tx, created, await enqueue(tx, payload, caller));
      return { id: created.id, announce: () => undefined };
    });
    announce();
    if (isRefused) log.warn({ runId: id, subscriptionId }, 'a run notified nobody');
    if (isRefused) throw conflict('nobody-to-notify', commentOf({ reason, detail: null }) ?? '');
    return { id, status: 'Created' };
  };
}
