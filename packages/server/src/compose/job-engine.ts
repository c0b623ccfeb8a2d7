import { createJobs, type EngineOptions, type Jobs } from '@svc/jobs';
import type { Notify } from '../domains/realtime/index.ts';
import type { JobQueue } from '../operations/job-queues.ts';
import { traceJobs } from '../platform/job-telemetry/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

const dayMs = 86_400_000;

/** Makes the engine; it takes no job before it is started. */
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
    // A model is waited for, not worked at.
    ai: { concurrency: 4 },
    // The watchdogs do not wait behind a task that is long or hangs.
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
 * The running engine. It comes after every part that handles jobs: it starts once all handlers are known, and stops
 * before anything that they use. A process that neither takes jobs nor fires schedules has none.
 */
export const composeJobEngine = ({ settings }: Ground, jobs: Jobs): Part => ({
  start: async () => {
    if (settings.process.runsJobs) await jobs.start();
  },
  close: () => jobs.stop(),
});
