import { randomUUID } from 'node:crypto';
import { currentJobContext, type Jobs, requireSlot } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { endAbandonedRuns, executeRun, runTick } from './declared-jobs.ts';
import type { RunEnding } from './ending.ts';
import type { RunPipeline } from './pipeline.ts';
import { createStartTestRun } from './test-runs.ts';

/** Seconds after which a run is ended if its job is over without having ended it. */
const abandonedAfterSeconds = 120;

export type RunJobs = ReturnType<typeof createRunJobs>;

/** Returns a function that resumes a held run when its quiet hours end. */
export const createResumeAt =
  (jobs: Jobs) =>
  async (
    tx: Tx,
    run: { readonly subscriptionId: number; readonly id: number; readonly dueAt: Date },
    at: Date,
  ) => {
    const payload = { subscriptionId: run.subscriptionId, runId: run.id, runDueAt: run.dueAt };
    return (await jobs.enqueue(tx, executeRun, payload, { dueAt: at })).jobId;
  };

/** Creates the background jobs of runs: their start and their handlers. */
export function createRunJobs(deps: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly pipeline: RunPipeline;
  readonly ending: RunEnding;
  readonly log: Logger;
  /** Returns job metadata with the address of the starter, who then receives the job's events. */
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
}) {
  const { jobs, database, pipeline, ending } = deps;
  jobs.handle(runTick, ({ subscriptionId }, run) =>
    pipeline.executeTick(subscriptionId, {
      slotAt: requireSlot(run),
      id: run.jobId,
      traceId: run.traceId,
      signal: run.signal,
      log: run.log,
    }),
  );
  jobs.handle(executeRun, ({ runId, runDueAt }, run) =>
    pipeline.execute(runId, runDueAt ?? null, run.signal, run.progress),
  );
  jobs.handle(endAbandonedRuns, () => pipeline.endAbandoned(abandonedAfterSeconds));

  return {
    startTestRun: createStartTestRun({
      database,
      ending,
      log: deps.log,
      enqueue: async (tx, run, starter) => {
        const metadata = deps.startedBy(starter);
        return (await jobs.enqueue(tx, executeRun, run, metadata && { metadata })).jobId;
      },
      startedIn: () => {
        const { traceId = randomUUID(), origin } = currentJobContext() ?? {};
        return { traceId, request: origin ? { method: origin.method, route: origin.route } : null };
      },
    }),

    /** Registers the recurring maintenance. Call it at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:end-abandoned-runs',
        cron: '* * * * *',
        timeZone: 'UTC',
        job: endAbandonedRuns,
        payload: null,
      });
    },
  };
}
