import { PgBoss } from 'pg-boss';
import { type OpenEngine, payload } from './engine.ts';

const queue = 'noop';

/** pg-boss with its faster options: notifications, batches and continuous fetching. */
export const openPgBoss: OpenEngine = async (connection) => {
  const { host, port, database, user, password } = connection;
  const boss = new PgBoss({
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(database === undefined ? {} : { database }),
    ...(user === undefined ? {} : { user }),
    ...(typeof password === 'string' ? { password } : {}),
    max: 10,
    useListenNotify: true,
  });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(queue, { notify: true });
  return {
    name: 'pg-boss',
    enqueueOne: async () => void (await boss.send(queue, payload)),
    enqueueBulk: async (count) => {
      await boss.insert(
        queue,
        Array.from({ length: count }, () => ({ data: payload })),
      );
    },
    work: async (concurrency, onRun) => {
      const id = await boss.work(
        queue,
        { batchSize: concurrency, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          for (const _ of jobs) onRun();
        },
      );
      return { stop: () => boss.offWork(queue, { id, wait: true }) };
    },
    clear: () => boss.deleteAllJobs(queue),
    close: () => boss.stop({ graceful: false }),
  };
};
