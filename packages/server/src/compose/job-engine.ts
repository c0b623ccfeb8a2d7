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
  const concurrency = Math.max(1, ground.settings.jobWorkers);
  const jobs = createJobs({
    connection: ground.connection,
    ...deps.options,
    retention: { failedMs: ground.settings.retention.failedJobs * dayMs, ...deps.options?.retention },
    queues: {
      runs: { concurrency },
      deliveries: { concurrency },
      contracts: { concurrency },
      schemas: { concurrency: 2 },
      migrations: { concurrency: ground.settings.migrationWorkers },
      // A model is waited for, not worked at.
      ai: { concurrency: 4 },
      maintenance: { concurrency: 1 },
    } satisfies Record<JobQueue, object>,
    logger: ground.log,
    onTransition: deps.notify.jobChanged,
    onProgress: deps.notify.jobProgressed,
  });
  return traceJobs(jobs, ground.telemetry);
}

/**
 * The running engine. It comes after every part that handles jobs: it starts once all handlers are known, and stops
 * before anything that they use. Without workers this process takes no jobs.
 */
export const composeJobEngine = ({ settings }: Ground, jobs: Jobs): Part => ({
  start: async () => {
    if (settings.jobWorkers > 0) await jobs.start();
  },
  close: () => jobs.stop(),
});
