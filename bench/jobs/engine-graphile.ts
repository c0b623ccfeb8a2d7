import { type AddJobsJobSpec, Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { type OpenEngine, payload } from './engine.ts';

const logger = new Logger(() => () => undefined);

/** graphile-worker with its faster options: local queue and batched completions. */
export const openGraphile: OpenEngine = async (connection) => {
  const pgPool = new pg.Pool({ ...connection, max: 10 });
  pgPool.on('error', () => undefined);
  // The library requires an error listener.
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  return {
    name: 'graphile-worker',
    enqueueOne: async () => void (await utils.addJob('noop', payload)),
    enqueueBulk: async (count) => {
      const specs: AddJobsJobSpec[] = Array.from({ length: count }, () => ({ identifier: 'noop', payload }));
      await utils.addJobs(specs);
    },
    work: async (concurrency, onRun) => {
      const runner = await run({
        pgPool,
        concurrency,
        logger,
        noHandleSignals: true,
        taskList: { noop: async () => onRun() },
        preset: {
          worker: { localQueue: { size: 1_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        },
      });
      return { stop: () => runner.stop() };
    },
    clear: async () => {
      await pgPool.query('truncate graphile_worker._private_jobs');
    },
    close: async () => {
      await utils.release();
      await pgPool.end();
    },
  };
};
