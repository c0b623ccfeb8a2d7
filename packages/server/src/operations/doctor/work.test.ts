import { migrateJobs } from '@svc/jobs';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { lookAtJobs } from './work.ts';

async function jobDatabase(): Promise<pg.Client> {
  const database = await createMigratedDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  await migrateJobs(client, { schema: 'svc_jobs' });
  return client;
}

const enqueue = (client: pg.Client, queue: string, minutes: number) =>
  client.query(
    `insert into svc_jobs.job (id, trace_id, created_at, due_at, state, name, queue)
      values (gen_random_uuid(), gen_random_uuid(), now(), now() - make_interval(mins => $2), 'Enqueued', 'a-job', $1)`,
    [queue, minutes],
  );

test('the queue whose jobs wait is named, and not a paused one that has waited for longer', async () => {
  const client = await jobDatabase();
  const dueJobs = async () =>
    (await lookAtJobs(client)).find(({ subject }) => subject === 'Due jobs') ?? expect.unreachable();
  await client.query(`insert into svc_jobs.queue (name, paused_at) values ('runs', now())`);
  await enqueue(client, 'runs', 600);
  expect(await dueJobs()).toMatchObject({ state: 'Well' });
  await enqueue(client, 'deliveries', 10);
  await enqueue(client, 'schemas', 5);
  expect(await dueJobs()).toMatchObject({
    state: 'Warning',
    text: 'A job of the queue deliveries has waited for 10 min.',
  });
  await client.query(`update svc_jobs.queue set paused_at = null`);
  expect(await dueJobs()).toMatchObject({ text: 'A job of the queue runs has waited for 600 min.' });
});
