import { migrateJobs } from '@svc/jobs';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkJobs } from './work.ts';

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

test('schedules that ran while the clock was ahead are named, since they wait until the clock reaches that time', async () => {
  const client = await jobDatabase();
  const schedules = async () =>
    (await checkJobs(client)).find(({ subject }) => subject === 'Schedules') ?? expect.unreachable();
  const add = (key: string, lastDueAt: string) =>
    client.query(
      `insert into svc_jobs.schedule (key, cron, time_zone, job_name, queue, last_due_at, next_due_at)
        values ($1, '0 * * * *', 'UTC', 'a-job', 'runs', $2::timestamptz, $2::timestamptz + interval '1 hour')`,
      [key, lastDueAt],
    );
  await add('in-order', 'yesterday');
  expect(await schedules()).toMatchObject({ state: 'Well' });
  await add('subscription-7', '2199-01-01T00:00:00Z');
  expect(await schedules()).toMatchObject({
    state: 'Fault',
    text: '1 schedule ran for a time that is still to come, the last for 2199-01-01T00:00:00.000Z: subscription-7. The clock was ahead, or is behind now.',
    remedy: expect.stringMatching(/role Scheduler.*time server/s),
  });
});

test('the queue with waiting jobs is named, but not a paused queue that has waited longer', async () => {
  const client = await jobDatabase();
  const dueJobs = async () =>
    (await checkJobs(client)).find(({ subject }) => subject === 'Due jobs') ?? expect.unreachable();
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

test('a queue is named if its due jobs wait while no worker runs one, but not if it works or has no worker', async () => {
  const client = await jobDatabase();
  const idle = async () =>
    (await checkJobs(client)).find(({ subject }) => subject === 'Idle queues') ?? expect.unreachable();
  await client.query(
    `with live as (insert into svc_jobs.server (id, name, process_id, started_at, heartbeat_at)
       values (gen_random_uuid(), 'a-server', 1, now(), now()) returning id)
     insert into svc_jobs.worker (id, server_id, queue, concurrency, running)
     select gen_random_uuid(), live.id, queue, 1, 0 from live, unnest(array['runs', 'deliveries']) queue`,
  );
  for (const queue of ['runs', 'deliveries', 'ai']) await enqueue(client, queue, 10);
  await client.query(
    `update svc_jobs.job set state = 'Processing', lease_until = now() + interval '1 minute' where queue = 'deliveries'`,
  );
  await enqueue(client, 'deliveries', 10);
  expect(await idle()).toMatchObject({
    state: 'Warning',
    text: 'Due jobs wait although no job is held: runs.',
  });
  await client.query(
    `update svc_jobs.job set lease_until = now() - interval '1 minute' where state = 'Processing'`,
  );
  expect(await idle()).toMatchObject({ text: 'Due jobs wait although no job is held: runs, deliveries.' });
  await client.query('delete from svc_jobs.job');
  expect(await idle()).toMatchObject({ state: 'Well' });
});
