import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createEvents, type Events, type EventsOptions } from './events.ts';

let testDatabase: TestDatabase;
let pool: pg.Pool;
let database: Database;
const opened: Events[] = [];

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  pool = openPool({ connection: testDatabase.connection, max: 4 });
  database = createDatabase(pool);
});
afterEach(async () => {
  for (const events of opened.splice(0)) await events.close();
});
afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const neverMs = 600_000;

async function listen(options: EventsOptions, connection: pg.ClientConfig = testDatabase.connection) {
  const events = createEvents({ database, connection, log: createLog('silent'), options });
  opened.push(events);
  const heard: unknown[] = [];
  events.subscribe('topic', (payload) => void heard.push(payload));
  await events.listen();
  return { events, heard };
}
const hears = (heard: readonly unknown[], count: number) =>
  until(`${count} events`, async () => (heard.length >= count ? heard : undefined));
const listeners = () =>
  pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and query like 'listen %' or application_name like '%listener' and datname = current_database()",
  );

test('a hint delivers an event immediately, without a poll', async () => {
  const { events, heard } = await listen({ pollIntervalMs: neverMs });
  await events.publish(database, 'topic', { n: 1 });
  await hears(heard, 1);
  expect(heard).toEqual([{ n: 1 }]);
});

test('a poll delivers an event without hints', async () => {
  const nowhere = { ...testDatabase.connection, host: '127.0.0.1', port: 1 };
  const { events, heard } = await listen({ pollIntervalMs: 20 }, nowhere);
  await events.publish(database, 'topic', { n: 2 });
  await hears(heard, 1);
  expect(heard).toEqual([{ n: 2 }]);
});

test('an event from the time of a cut channel arrives once the channel is restored, without a poll', async () => {
  const { events, heard } = await listen({ pollIntervalMs: neverMs, heartbeatMs: 50 });
  const before = await until('the listener', async () => {
    const { rows } = await listeners();
    return rows.length > 0 ? rows.map(({ pid }) => pid) : undefined;
  });
  await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [before]);
  await events.publish(database, 'topic', { n: 3 });
  await hears(heard, 1);
  await events.publish(database, 'topic', { n: 4 });
  await hears(heard, 2);
  expect(heard).toEqual([{ n: 3 }, { n: 4 }]);
});

test('an event arrives once, when its transaction commits, in any order of commits', async () => {
  const { events, heard } = await listen({ pollIntervalMs: 10 });
  const early = await pool.connect();
  await early.query('begin');
  await events.publish(early, 'topic', { n: 'early, committed late' });
  await events.publish(database, 'topic', { n: 'late, committed early' });
  await hears(heard, 1);
  await early.query('commit');
  early.release();
  await hears(heard, 2);
  await events.publish(database, 'topic', { n: 'last' });
  await hears(heard, 3);
  expect(heard).toEqual([{ n: 'late, committed early' }, { n: 'early, committed late' }, { n: 'last' }]);
});

test('an event of a transaction that was rolled back never arrives', async () => {
  const { events, heard } = await listen({ pollIntervalMs: 10 });
  await database
    .transaction(async (tx) => {
      await events.publish(tx, 'topic', { n: 'never' });
      throw new Error('no');
    })
    .catch(() => undefined);
  await events.publish(database, 'topic', { n: 5 });
  await hears(heard, 1);
  expect(heard).toEqual([{ n: 5 }]);
});

test('a new listener receives no earlier events, and a failing handler does not block the others', async () => {
  const { events: first } = await listen({ pollIntervalMs: neverMs });
  await first.publish(database, 'topic', { n: 'before' });
  const { events, heard } = await listen({ pollIntervalMs: 10 });
  events.subscribe('topic', () => {
    throw new Error('a defect');
  });
  await events.publish(database, 'topic', { n: 6 });
  await events.publish(database, 'another topic', { n: 7 });
  await events.publish(database, 'topic', { n: 8 });
  await hears(heard, 2);
  expect(heard).toEqual([{ n: 6 }, { n: 8 }]);
});
