import { defineJob, type Jobs } from '@svc/jobs';
import type { DeliveryKey, RunKey, Send } from '../../gateways/send/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { dropOldMessages, type FrozenMessages, sealedMessageOf } from '../run-messages/index.ts';
import { dispatchOf } from './dispatch.ts';
import {
  dueTimeOf,
  endOrphans,
  goneRecipients,
  markInterruptedAttempts,
  markRecovered,
  type QueuedAttempt,
  queueRetriesOf,
  setJobOf,
  skipQueued,
  subscriptionOf,
} from './store.ts';

type Attempt = { readonly id: number; readonly recipientId: number; readonly attempt: number };
type Payload = {
  readonly runId: number;
  /** Absent in jobs of an earlier version. */
  readonly runDueAt: Date | undefined;
  readonly messageNo: number;
  readonly attempts: readonly Attempt[];
};

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
const isAttempt = (value: unknown): value is Attempt => {
  const { id, recipientId, attempt } = Object(value) as Record<string, unknown>;
  return isId(id) && isId(recipientId) && isId(attempt);
};

/** Job that makes further attempts to send the frozen message of one run. */
const makeAttempts = defineJob<Payload>({
  name: 'make-delivery-attempts',
  queue: 'deliveries',
  retry: { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] },
  // Attempts of one run are sequential, so that its message and file are in memory once.
  concurrency: { limit: 1, key: ({ runId }) => `run ${runId}` },
  parse: (value) => {
    const { runId, runDueAt, messageNo = 0, attempts } = Object(value) as Record<string, unknown>;
    const due = runDueAt === undefined ? undefined : new Date(String(runDueAt));
    const isMessage = typeof messageNo === 'number' && Number.isSafeInteger(messageNo) && messageNo >= 0;
    const isSound = isId(runId) && isMessage && !Number.isNaN(due?.getTime() ?? 0);
    if (!isSound || !Array.isArray(attempts) || !attempts.every(isAttempt))
      throw new TypeError('These are no attempts of a run.');
    return { runId, runDueAt: due, messageNo, attempts };
  },
});

const keepMessagesJob = defineJob<null>({
  name: 'drop-old-messages',
  queue: 'maintenance',
  // The job runs hourly, so a failed run is retried.
  retry: { attemptsMax: 3 },
  parse: () => null,
});
const endOrphansJob = defineJob<null>({
  name: 'end-orphaned-deliveries',
  queue: 'maintenance',
  parse: () => null,
});
const dropAtOnce = 1_000;

export type AttemptsDeps = {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly send: Pick<Send, 'toRecipients'>;
  readonly messages: Pick<FrozenMessages, 'open' | 'dropFiles'>;
  readonly tellResponsible: TellResponsible;
  /** `Svc:Notifications:KeepMessagesDays`. */
  readonly keepMessagesDays: number;
};

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Creates the further attempts of deliveries: resends by a user, and retries by a recipient's policy. Each attempt
 * sends the frozen message through the send gateway, which checks approval and destination again.
 */
export function createAttempts(deps: AttemptsDeps) {
  const { jobs, database } = deps;

  /** Enqueues jobs for queued attempts in the transaction that creates the attempts: one job per run and due time. */
  const enqueue = async (tx: Tx, queued: readonly QueuedAttempt[]): Promise<void> => {
    const groups = Map.groupBy(
      queued,
      ({ runId, messageNo, dueAt }) => `${runId}.${messageNo}@${dueAt.getTime()}`,
    );
    for (const group of groups.values()) {
      const [first] = group;
      if (!first) continue;
      const attempts = group.map(({ id, recipientId, attempt }) => ({ id, recipientId, attempt }));
      const { jobId } = await jobs.enqueue(
        tx,
        makeAttempts,
        { runId: first.runId, runDueAt: first.runDueAt, messageNo: first.messageNo, attempts },
        { dueAt: first.dueAt },
      );
      await setJobOf(
        tx,
        { id: first.runId, dueAt: first.runDueAt },
        group.map(({ id }) => id),
        jobId,
      );
    }
  };

  /** Queues retries of failed attempts, and notifies the responsible user of destinations that no longer exist. */
  const follow = async (tx: Tx, run: RunKey, attemptIds: readonly number[] | null): Promise<void> => {
    await enqueue(tx, await queueRetriesOf(tx, run));
    const subscriptionId = await subscriptionOf(tx, run);
    if (subscriptionId === null) return;
    const subject = { kind: 'Subscription', id: subscriptionId } as const;
    for (const facts of await goneRecipients(tx, run, subscriptionId, attemptIds))
      await deps.tellResponsible(tx, {
        kind: 'RecipientGone',
        subject,
        runId: run.id,
        facts,
        isRepetition: false,
      });
  };

  const make = async (payload: Payload, signal: AbortSignal): Promise<void> => {
    const { attempts, messageNo } = payload;
    const run = await keyOf(payload);
    if (!run) return;
    const ids = attempts.map(({ id }) => id);
    await markInterruptedAttempts(database, run, ids);
    const sealed = await sealedMessageOf(database, { run, messageNo });
    if (sealed === null) return skipQueued(database, run, ids, 'MessageGone');
    const message = deps.messages.open({ run, messageNo }, sealed);
    const dispatches = attempts.map(({ recipientId, attempt }) => {
      const key: DeliveryKey = { run, messageNo, recipientId, attempt };
      return dispatchOf(key, message, signal);
    });
    await deps.send.toRecipients(dispatches);
    signal.throwIfAborted();
    await markInterruptedAttempts(database, run, ids);
    const isSent = await database.transaction(async (tx) => {
      const isEverybodySent = await markRecovered(tx, run);
      await follow(tx, run, ids);
      return isEverybodySent;
    });
    if (isSent) await deps.messages.dropFiles(run);
  };

  /** Returns undefined when the run is no longer stored. */
  const keyOf = async ({ runId: id, runDueAt }: Payload): Promise<RunKey | undefined> => {
    const dueAt = runDueAt ?? (await dueTimeOf(database, id));
    return dueAt && { id, dueAt };
  };

  jobs.handle(makeAttempts, (payload, { signal }) => make(payload, signal));
  jobs.handle(endOrphansJob, () => endOrphans(database));
  jobs.handle(keepMessagesJob, async (_payload, { signal }) => {
    while (!signal.aborted) {
      const dropped = await dropOldMessages(database, deps.keepMessagesDays, dropAtOnce);
      if (dropped < dropAtOnce) return;
    }
  });

  return {
    enqueue,
    /** Queues retries and notices after a run's own attempts. */
    followRun: (tx: Tx, run: RunKey): Promise<void> => follow(tx, run, null),
    /** Registers the recurring maintenance jobs. Called at start. */
    start: async (): Promise<void> => {
      for (const { key, cron, job } of [
        { key: 'maintenance:drop-old-messages', cron: '17 * * * *', job: keepMessagesJob },
        { key: 'maintenance:end-orphaned-deliveries', cron: '* * * * *', job: endOrphansJob },
      ])
        await jobs.schedules.put(jobs.executor, { key, cron, timeZone: 'UTC', job, payload: null });
    },
  };
}
