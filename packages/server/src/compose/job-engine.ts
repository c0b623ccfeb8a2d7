import { createJobs, type EngineOptions, type Jobs } from '@svc/jobs';
import type { Notify } from '../domains/realtime/index.ts';
import type { JobQueue } from '../operations/job-queues.ts';
import { traceJobs } from '../platform/job-telemetry/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';

const dayMs = 86_400_000;

/** Creates the engine. It takes no job before its start. */
export function makeJobEngine(
  infra: Infrastructure,
  deps: { readonly notify: Notify; readonly options: EngineOptions | undefined },
): Jobs {
  const { process, retention, migrationWorkers } = infra.settings;
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
    connection: infra.connection,
    ...deps.options,
    retention: { failedMs: retention.failedJobs * dayMs, ...deps.options?.retention },
    queues: Object.fromEntries(process.queues.map((queue) => [queue, queues[queue]])),
    isScheduler: process.isScheduler,
    logger: infra.log,
    onTransition: deps.notify.jobChanged,
    onProgress: deps.notify.jobProgressed,
  });
  return traceJobs(jobs, infra.telemetry);
}

/**
 * Composes the running engine. It comes after every module with jobs: it starts once all handlers are registered,
 * and stops before their dependencies. A process without workers and schedules has none.
 */
export const composeJobEngine = ({ settings }: Infrastructure, jobs: Jobs): Module => ({
  start: async () => {
    if (settings.process.runsJobs) await jobs.start();
  },
  close: () => jobs.stop(),
});
