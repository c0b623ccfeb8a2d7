import { randomUUID } from 'node:crypto';
import { currentJobContext, defineJob, type Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { RunEnding } from './ending.ts';
import type { RunPipeline } from './pipeline.ts';
import { createStartTestRun } from './test-runs.ts';
import type { Watchdog } from './watchdog.ts';

type TickPayload = { readonly subscriptionId: number };
type RunPayload = { readonly subscriptionId: number; readonly runId: number };

function positiveInteger(value: unknown, name: string): number {
  const member =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return member;
}

const queue = 'runs';
/** Tried again only when the metadata database was away: what a query or a recipient does is an outcome. */
const retry = { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] };
/** Runs of one subscription take turns, so that each sees the row count of the one before. */
const oneBySubscription = {
  limit: 1,
  key: (payload: { subscriptionId: number }) => `subscription ${payload.subscriptionId}`,
};

/** A tick of a subscription's schedule. */
const runTick = defineJob<TickPayload>({
  name: 'run-subscription-tick',
  queue,
  retry,
  concurrency: oneBySubscription,
  parse: (value) => ({ subscriptionId: positiveInteger(value, 'subscriptionId') }),
});

/** A run that somebody started. */
const executeRun = defineJob<RunPayload>({
  name: 'run-subscription-now',
  queue,
  retry,
  priority: 10,
  concurrency: oneBySubscription,
  parse: (value) => ({
    subscriptionId: positiveInteger(value, 'subscriptionId'),
    runId: positiveInteger(value, 'runId'),
  }),
});

const endAbandonedRuns = defineJob<null>({
  name: 'end-abandoned-runs',
  queue: 'maintenance',
  parse: () => null,
});
const watchRuns = defineJob<null>({
  name: 'watch-for-missed-runs',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});
/** A run whose job is over but which was never ended is closed after so long. */
const abandonedAfterSeconds = 120;

const scheduleKey = (subscriptionId: number): string => `subscription:${subscriptionId}`;

export type RunJobs = ReturnType<typeof createRunJobs>;

/** The runs' background work: who starts a run, and which handler executes it. */
export function createRunJobs(deps: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly pipeline: RunPipeline;
  readonly ending: RunEnding;
  readonly log: Logger;
  readonly watchdog: Watchdog;
  /** Metadata by which the starter of a job is told how it goes. */
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
}) {
  const { jobs, database, pipeline, ending } = deps;
  jobs.handle(runTick, ({ subscriptionId }, run) =>
    pipeline.executeTick(subscriptionId, run.dueAt, { id: run.jobId, traceId: run.traceId }, run.signal),
  );
  jobs.handle(executeRun, ({ runId }, run) => pipeline.execute(runId, run.signal, run.progress));
  jobs.handle(endAbandonedRuns, () => pipeline.endAbandoned(abandonedAfterSeconds));
  jobs.handle(watchRuns, (_payload, { signal }) => deps.watchdog.check(signal));

  return {
    /** Starts or, without a schedule, stops the ticks of a subscription, in the caller's transaction. */
    setSchedule: async (
      tx: Tx,
      subscriptionId: number,
      schedule: { cronExpression: string; timeZone: string } | undefined,
    ): Promise<void> => {
      if (!schedule) return void (await jobs.schedules.remove(tx, scheduleKey(subscriptionId)));
      await jobs.schedules.put(tx, {
        key: scheduleKey(subscriptionId),
        cron: schedule.cronExpression,
        timeZone: schedule.timeZone,
        job: runTick,
        payload: { subscriptionId },
      });
    },

    startTestRun: createStartTestRun({
      database,
      ending,
      log: deps.log,
      enqueue: async (tx, run, starter) => {
        const metadata = deps.startedBy(starter);
        return (await jobs.enqueue(tx, executeRun, run, metadata && { metadata })).jobId;
      },
      newTraceId: () => currentJobContext()?.traceId ?? randomUUID(),
    }),

    /** Registers the recurring upkeep; called at start. */
    start: async (): Promise<void> => {
      for (const { key, cron, job } of [
        { key: 'maintenance:end-abandoned-runs', cron: '* * * * *', job: endAbandonedRuns },
        { key: 'maintenance:watch-for-missed-runs', cron: '*/15 * * * * *', job: watchRuns },
      ])
        await jobs.schedules.put(jobs.executor, { key, cron, timeZone: 'UTC', job, payload: null });
    },
  };
}
