import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { openSilentProxy, type SilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPool, probePool } from '../../platform/db/index.ts';
import { createHealthService } from './index.ts';

let testDatabase: TestDatabase;
let proxy: SilentProxy;
let pool: pg.Pool;

beforeEach(async () => {
  testDatabase = await createEmptyDatabase();
  proxy = await openSilentProxy(postgresAddress(testDatabase.connection));
  pool = openPool({
    connection: { ...testDatabase.connection, host: '127.0.0.1', port: proxy.port },
    max: 2,
  });
});
afterEach(async () => {
  await pool.end();
  await proxy.stop();
  await testDatabase.drop();
});

const probe = (timeoutMs?: number): Promise<void> =>
  createHealthService(
    [(deadlineMs) => probePool(pool, deadlineMs)],
    timeoutMs === undefined ? {} : { timeoutMs },
  ).check();

test('the probe fails with 503 on a silent session of the serving pool, and closes this session', async () => {
  await probe();
  proxy.silence();
  await expect(probe(500)).rejects.toMatchObject({ status: 503 });
  await probe();
  expect(proxy.openedCount()).toBe(2);
});

test('the probe fails with 503 while no session of the pool is free', async () => {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  await expect(probe(200)).rejects.toMatchObject({ status: 503 });
  for (const client of clients) client.release();
  await probe();
});
