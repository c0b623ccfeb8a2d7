import pg from 'pg';
import { createJobs, defineJob, migrateJobs } from '../../packages/jobs/src/index.ts';
import { type OpenEngine, payload } from './engine.ts';

const job = defineJob<unknown>({ name: 'noop', parse: (value) => value });

/** Our job library with default settings. */
export const openSvc: OpenEngine = async (connection) => {
  const pool = new pg.Pool({ ...connection, max: 10 });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  await migrateJobs(client);
  client.release();
  const publisher = createJobs({ pool });
  return {
    name: 'svc',
    enqueueOne: async () => void (await publisher.enqueue(publisher.executor, job, payload)),
    enqueueBulk: async (count) =>
      void (await publisher.enqueueMany(
        publisher.executor,
        job,
        Array.from({ length: count }, () => ({ payload })),
      )),
    work: async (concurrency, onRun) => {
      const jobs = createJobs({ pool, queues: { default: { concurrency } } });
      jobs.handle(job, onRun);
      await jobs.start();
      return { stop: () => jobs.stop() };
    },
    clear: async () => {
      await pool.query('truncate svc_jobs.job, svc_jobs.job_log, svc_jobs.job_counter');
    },
    close: () => pool.end(),
  };
};
