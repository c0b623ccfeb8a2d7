import { defineJob, type Jobs } from '@svc/jobs';
import type { DeliveryKey, Send } from '../../doors/send/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { dropOldMessages, type FrozenMessages, sealedMessageOf } from '../run-messages/index.ts';
import { dispatchOf } from './dispatch.ts';
import {
  endOrphans,
  goneRecipients,
  markInterruptedAttempts,
  markRecovered,
  type QueuedAttempt,
  queueRetriesOf,
  setJobOf,
  skipQueued,
} from './store.ts';

type Attempt = { readonly id: number; readonly recipientId: number; readonly attempt: number };
type Payload = { readonly runId: number; readonly attempts: readonly Attempt[] };

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
const isAttempt = (value: unknown): value is Attempt => {
  const { id, recipientId, attempt } = Object(value) as Record<string, unknown>;
  return isId(id) && isId(recipientId) && isId(attempt);
};

/** Further attempts at the frozen message of one run. */
const makeAttempts = defineJob<Payload>({
  name: 'make-delivery-attempts',
  queue: 'deliveries',
  retry: { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] },
  // Those of one run take turns, so that its message and file are in memory once.
  concurrency: { limit: 1, key: ({ runId }) => `run ${runId}` },
  parse: (value) => {
    const { runId, attempts } = Object(value) as Record<string, unknown>;
    if (!isId(runId) || !Array.isArray(attempts) || !attempts.every(isAttempt))
      throw new TypeError('These are no attempts of a run.');
    return { runId, attempts };
  },
});

const keepMessagesJob = defineJob<null>({
  name: 'drop-old-messages',
  queue: 'maintenance',
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
  readonly messages: Pick<FrozenMessages, 'open' | 'dropFile'>;
  readonly tellResponsible: TellResponsible;
  /** `Svc:Notifications:KeepMessagesDays`. */
  readonly keepMessagesDays: number;
};

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Attempts after a run's own: ordered by somebody, or by a recipient's retry policy. Each sends the message as it was
 * frozen, through the send door, which checks approval and destination as they are then.
 */
export function createAttempts(deps: AttemptsDeps) {
  const { jobs, database } = deps;

  /** Enqueues what makes queued attempts, in the transaction that ordered them: one job for each run and due time. */
  const enqueue = async (tx: Tx, queued: readonly QueuedAttempt[]): Promise<void> => {
    const groups = Map.groupBy(queued, ({ runId, dueAt }) => `${runId}@${dueAt.getTime()}`);
    for (const group of groups.values()) {
      const [first] = group;
      if (!first) continue;
      const attempts = group.map(({ id, recipientId, attempt }) => ({ id, recipientId, attempt }));
      const { jobId } = await jobs.enqueue(
        tx,
        makeAttempts,
        { runId: first.runId, attempts },
        { dueAt: first.dueAt },
      );
      await setJobOf(
        tx,
        group.map(({ id }) => id),
        jobId,
      );
    }
  };

  /** What follows from failed attempts: those that retry policies ask for, and word of destinations that are gone. */
  const follow = async (tx: Tx, runId: number, attemptIds: readonly number[] | null): Promise<void> => {
    await enqueue(tx, await queueRetriesOf(tx, runId));
    for (const gone of await goneRecipients(tx, runId, attemptIds)) {
      const { subscriptionId, ...facts } = gone;
      const notice = { subscriptionId, runId, facts, isRepetition: false };
      await deps.tellResponsible(tx, { ...notice, kind: 'RecipientGone' });
    }
  };

  const make = async ({ runId, attempts }: Payload, signal: AbortSignal): Promise<void> => {
    const ids = attempts.map(({ id }) => id);
    await markInterruptedAttempts(database, ids);
    const sealed = await sealedMessageOf(database, runId);
    if (sealed === null) return skipQueued(database, ids, 'MessageGone');
    const message = deps.messages.open(runId, sealed);
    const dispatches = attempts.map(({ recipientId, attempt }) => {
      const key: DeliveryKey = { runId, recipientId, attempt };
      return dispatchOf(key, message, signal);
    });
    await deps.send.toRecipients(dispatches);
    signal.throwIfAborted();
    await markInterruptedAttempts(database, ids);
    const isSent = await database.transaction(async (tx) => {
      const isEverybodySent = await markRecovered(tx, runId);
      await follow(tx, runId, ids);
      return isEverybodySent;
    });
    if (isSent) await deps.messages.dropFile(runId);
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
    /** The same after a run's own attempts. */
    followRun: (tx: Tx, runId: number): Promise<void> => follow(tx, runId, null),
    /** Registers the recurring upkeep; called at start. */
    start: async (): Promise<void> => {
      for (const { key, cron, job } of [
        { key: 'maintenance:drop-old-messages', cron: '17 * * * *', job: keepMessagesJob },
        { key: 'maintenance:end-orphaned-deliveries', cron: '* * * * *', job: endOrphansJob },
      ])
        await jobs.schedules.put(jobs.executor, { key, cron, timeZone: 'UTC', job, payload: null });
    },
  };
}
