import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDatabase, type Database } from '../database.ts';
import { openPool } from '../pool.ts';
import { createLateReads, routeReads } from './late-reads.ts';
import { createRecentWrites } from './recent-writes.ts';

let primary: Database;
let replica: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createMigratedDatabase();
  const open = (applicationName: string) =>
    createDatabase(openPool({ connection: database.connection, max: 2, applicationName }));
  primary = open('primary');
  replica = open('replica');
  drop = async () => {
    await Promise.all([primary.pool.end(), replica.pool.end()]);
    await database.drop();
  };
});
afterAll(() => drop());

const where = `select current_setting('application_name') as name`;
const log = pino({ level: 'silent' });

function late(lagMs: number | undefined) {
  const failures: unknown[] = [];
  const reads = createLateReads({
    primary,
    log,
    replica: { database: replica, lagMs: () => lagMs, noteFailure: (error) => void failures.push(error) },
  });
  const routed = routeReads(primary);
  const asked = async (): Promise<unknown> => (await routed.query(where)).rows[0]?.['name'];
  return { reads, routed, asked, failures };
}

test('only statements within a late read use the replica, and transactions never do', async () => {
  const { reads, routed, asked } = late(0);
  expect(await asked()).toBe('primary');
  const seen = await reads.read('somebody', async () => [
    await asked(),
    (await sql.raw<{ name: string }>(where).execute(routed.kysely)).rows[0]?.name,
    await routed.transaction(async (tx) => [(await tx.query(where)).rows[0]?.['name'], await asked()]),
    await asked(),
  ]);
  expect(seen).toEqual(['replica', 'replica', ['primary', 'primary'], 'replica']);
});

test.each([
  ['away', undefined],
  ['more than 5 s late', 5_001],
])('a replica that is %s is not queried', async (_, lagMs) => {
  const { reads, asked } = late(lagMs);
  expect(await reads.read('somebody', asked)).toBe('primary');
});

test('a caller with a recent change reads from the primary in every process, and other callers do not', async () => {
  const here = late(0);
  const elsewhere = late(0);
  await here.reads.noteWrite('writer');
  expect(await here.reads.read('writer', here.asked)).toBe('primary');
  expect(await elsewhere.reads.read('writer', elsewhere.asked)).toBe('primary');
  expect(await elsewhere.reads.read('reader', elsewhere.asked)).toBe('replica');
  await primary.query(`update svc.recent_writes set written_at = now() - interval '7 seconds'`);
  expect(await elsewhere.reads.read('writer', elsewhere.asked)).toBe('replica');
});

test('frequent changes of a caller are noted once a second and count for 5 s after the last one', async () => {
  let now = 0;
  const writes = createRecentWrites(primary, () => now);
  // In microseconds, because two notes may have the same millisecond.
  const notedAt = async (): Promise<number> => {
    const { rows } = await primary.query(
      `select (extract(epoch from written_at) * 1e6)::float8 as at from svc.recent_writes where caller = 'much'`,
    );
    return rows[0]?.['at'];
  };
  await writes.note('much');
  const first = await notedAt();
  now = 999;
  await writes.note('much');
  expect(await notedAt()).toEqual(first);
  now = 5_998;
  expect(await writes.isRecent('much')).toBe(true);
  now = 6_000;
  await writes.note('much');
  expect(await notedAt()).toBeGreaterThan(first);
});

test('a read that fails on the replica runs on the primary, and a refusal of the primary is returned', async () => {
  const { reads, asked, failures } = late(0);
  const fails = async () => {
    if ((await asked()) === 'replica') throw new Error('canceling statement due to conflict with recovery');
    return asked();
  };
  expect(await reads.read('somebody', fails)).toBe('primary');
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('conflict') })]);
  await expect(
    reads.read('somebody', async () => {
      throw new Error(`refused by the ${await asked()}`);
    }),
  ).rejects.toThrow('refused by the primary');
});

test('old notes of changes are removed', async () => {
  const { reads } = late(0);
  await primary.query(
    `insert into svc.recent_writes values ('old', now() - interval '2 minutes'), ('new', now()) on conflict do nothing`,
  );
  onTestFinished(async () => void (await primary.query('delete from svc.recent_writes')));
  await reads.sweep();
  const { rows } = await primary.query(`select caller from svc.recent_writes where caller in ('old', 'new')`);
  expect(rows).toEqual([{ caller: 'new' }]);
});
