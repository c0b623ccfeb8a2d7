import { createJobs, type EngineOptions, type Jobs } from '@svc/jobs';
import type { Notify } from '../domains/realtime/index.ts';
import type { JobQueue } from '../operations/job-queues.ts';
import { traceJobs } from '../platform/job-telemetry/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

const dayMs = 86_400_000;

/** Creates the engine. It takes no job before its start. */
export function makeJobEngine(
  ground: Ground,
  deps: { readonly notify: Notify; readonly options: EngineOptions | undefined },
): Jobs {
  const { process, retention, migrationWorkers } = ground.settings;
  const concurrency = Math.max(1, process.workers);
  const queues: Readonly<Record<JobQueue, { readonly concurrency: number }>> = {
    runs: { concurrency },
    deliveries: { concurrency },
    contracts: { concurrency },
    schemas: { concurrency: 2 },
    migrations: { concurrency: migrationWorkers },
    // Calls to a model only wait, so more of them can run concurrently.
    ai: { concurrency: 4 },
    // The watchdogs do not wait for a long or hanging task.
    maintenance: { concurrency: 2 },
  };
  const jobs = createJobs({
    connection: ground.connection,
    ...deps.options,
    retention: { failedMs: retention.failedJobs * dayMs, ...deps.options?.retention },
    queues: Object.fromEntries(process.queues.map((queue) => [queue, queues[queue]])),
    isScheduler: process.isScheduler,
    logger: ground.log,
    onTransition: deps.notify.jobChanged,
    onProgress: deps.notify.jobProgressed,
  });
  return traceJobs(jobs, ground.telemetry);
}

/**
 * Composes the running engine. It comes after every module with jobs: it starts once all handlers are registered,
 * and stops before their dependencies. A process without workers and schedules has none.
 */
export const composeJobEngine = ({ settings }: Ground, jobs: Jobs): Part => ({
  start: async () => {
    if (settings.process.runsJobs) await jobs.start();
  },
  close: () => jobs.stop(),
});
