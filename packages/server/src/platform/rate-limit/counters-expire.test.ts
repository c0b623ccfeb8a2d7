import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../db/index.ts';
import { addressKey, createRateLimit, sweepRateLimits } from './index.ts';

let testDatabase: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  pool = openPool({ connection: testDatabase.connection });
});
afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const unread = { header: () => undefined };
const limit = () => createRateLimit(pool, { name: 'test', quota: 2, windowSeconds: 60, detail: 'Too many.' });
const count = async () => (await pool.query('select count(*)::int as n from svc.rate_limits')).rows[0].n;

test('expired counters of a flood of addresses are removed', async () => {
  await pool.query(
    `insert into svc.rate_limits (key, points, expire)
     select 'test:' || n, 1, $1 from generate_series(1, 100000) n`,
    [Date.now() - 120_000],
  );
  await limit().consume('10.0.0.1', unread);
  await sweepRateLimits(pool);
  expect(await count()).toBe(1);
});

test('a counter that still applies is not swept', async () => {
  const [one, other] = [limit(), limit()];
  await one.consume('10.0.0.2', unread);
  await other.consume('10.0.0.2', unread);
  await sweepRateLimits(pool);
  await expect(one.consume('10.0.0.2', unread)).rejects.toMatchObject({ status: 429 });
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
])('%s and %s count as one address: %s', (one, other, isSame) => {
  expect(addressKey(one) === addressKey(other)).toBe(isSame);
});
