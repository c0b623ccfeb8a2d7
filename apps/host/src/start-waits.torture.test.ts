import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { openSilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import { loseSessionOnce } from '@svc/testkit/runs/ticks.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startReplica } from '../../../tools/test/sessions/replica.ts';

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

const settingsOn = ({ user, password, host, port, database }: TestDatabase['connection']) => ({
  'Svc:Database:ConnectionString': `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
  'Svc:EncryptionKey': encryptionKey,
  'Svc:Logging:Level': 'error',
});

test('a process that starts before PostgreSQL reports its attempts, and serves once PostgreSQL is available', async () => {
  const { connection } = await emptyDatabase();
  const target = postgresAddress(connection);
  const proxy = await openSilentProxy(target);
  await proxy.stop();
  const lines: string[] = [];
  let opened = false;
  const replica = await startReplica(
    settingsOn({ ...connection, host: '127.0.0.1', port: proxy.port }),
    undefined,
    (line) => {
      lines.push(line);
      if (opened || !line.includes('(attempt 2)')) return;
      opened = true;
      void openSilentProxy(target, proxy.port).then(({ stop }) => onTestFinished(stop));
    },
  );
  expect(lines.filter((line) => line.includes('PostgreSQL is unavailable')).length).toBeGreaterThanOrEqual(2);
  expect((await fetch(`${replica.origin}/readyz`)).status).toBe(200);
  expect(await replica.stop()).toBe(0);
}, 600_000);

test('a process that loses a database session during its start still serves', async () => {
  const { connection } = await emptyDatabase();
  await (await startReplica(settingsOn(connection))).stop();
  const pool = new pg.Pool(connection);
  onTestFinished(() => pool.end());
  await loseSessionOnce(pool, { table: 'svc_jobs.schedule', event: 'insert', when: 'true' });
  const replica = await startReplica(settingsOn(connection));
  const { rows } = await pool.query('select is_called as "isLost" from svc.lost_sessions');
  expect(rows).toEqual([{ isLost: true }]);
  expect((await fetch(`${replica.origin}/readyz`)).status).toBe(200);
  expect(await replica.stop()).toBe(0);
}, 600_000);
