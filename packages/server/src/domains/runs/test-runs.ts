import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { commentOf } from '../run-history/index.ts';
import type { RunEnding } from './ending.ts';
import { insertTestRun, setJob } from './store.ts';

export type TestRunsDeps = {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** Enqueues the job that executes a run, in the transaction that makes the run. */
  readonly enqueue: (
    tx: Tx,
    run: { subscriptionId: number; runId: number; runDueAt: Date },
    starter: Caller,
  ) => Promise<string>;
  readonly ending: RunEnding;
  /** What the run is started in: its trace, and the request where there is one. */
  readonly startedIn: () => Pick<Parameters<typeof insertTestRun>[1], 'traceId' | 'request'>;
};

/** A subscription as far as a run by hand needs to know it. */
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

/** Starts runs by hand. One that could notify nobody is recorded `Skipped` and refused with its reason. */
export function createStartTestRun({
  database,
  ending,
  log,
  enqueue,
  startedIn,
}: TestRunsDeps): StartTestRun {
  return async (caller, subscription) => {
    const { id: subscriptionId, queryId, recipients } = subscription;
    // A task tells by itself where nobody is attached.
    const isTold = subscription.createTasks && recipients.length === 0;
    const isNobodyApproved = !isTold && recipients.every((recipient) => recipient.state !== 'Approved');
    const reason = recipients.length === 0 ? 'NoRecipients' : 'NobodyNotified';
    const { id, announce } = await database.transaction(async (tx) => {
      const run = { subscriptionId, queryId, userId: caller.userId, ...startedIn() };
      const made = await insertTestRun(tx, run);
      if (isNobodyApproved)
        return { id: made.id, announce: await ending.endIn(tx, made, 'Skipped', { reason }) };
      const payload = { subscriptionId, runId: made.id, runDueAt: made.dueAt };
      await setJob(tx, made, await enqueue(tx, payload, caller));
      return { id: made.id, announce: () => undefined };
    });
    announce();
    if (isNobodyApproved) log.warn({ runId: id, subscriptionId }, 'a run notified nobody');
    if (isNobodyApproved) throw conflict('nobody-to-notify', commentOf({ reason, detail: null }) ?? '');
    return { id, status: 'Created' };
  };
}
