import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  fillHistoryOfBefore,
  summaryOfBefore,
  summaryOfNow,
} from '../../../../../tools/test/history-of-before.ts';
import { migrate, readMigrations } from './migrate.ts';

const migrations = readMigrations();
const opening = migrations.findIndex(({ name }) => name.startsWith('0013-'));
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Resolves when the process has ended, by its own exit or by the signal. */
function migrateAndKill(until: () => Promise<boolean>): Promise<void> {
  const script = path.join(import.meta.dirname, '../../../../../tools/test/migrate-process.ts');
  const child: ChildProcess = spawn(process.execPath, ['--conditions=svc-source', script]);
  child.stdin?.end(JSON.stringify({ connection: database.connection, migrations }));
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      while (child.exitCode === null && !(await until()));
      child.kill('SIGKILL');
    };
    child.on('close', () => resolve());
    look().catch(reject);
  });
}

test('rows of the previous version are carried over, even if the upgrade is killed repeatedly', async () => {
  await migrate(client, migrations.slice(0, opening));
  await fillHistoryOfBefore(client, { runs: 60_000, months: 14 });
  const before = await summaryOfBefore(client);
  expect(before.runs).toBe(60_000);
  const carried = async (table: string, count: number): Promise<boolean> => {
    const { rows } = await client.query('select to_regclass($1) is not null as found', [
      `svc.${table}_before`,
    ]);
    if (!rows[0].found) return false;
    return (await client.query(`select from svc.${table} limit ${count}`)).rowCount === count;
  };
  await migrateAndKill(() => carried('runs', 1));
  expect((await client.query("select to_regclass('svc.runs_before') as found")).rows[0].found).not.toBeNull();
  await migrateAndKill(() => carried('deliveries', 1));
  const notes: string[] = [];
  await migrate(client, migrations, (progress) => {
    if ('note' in progress && progress.note !== undefined) notes.push(progress.note);
  });
  expect(await summaryOfNow(client)).toEqual(before);
  expect(notes.at(-1)).toMatch(/^audit events: \d+ of \d+$/);
  const { rows } = await client.query(
    "select relname from pg_class where relname like '%before' and relnamespace = 'svc'::regnamespace",
  );
  expect(rows).toEqual([]);
  // New rows come after the old ones.
  const { rows: ids } = await client.query(
    "select nextval('svc.run_ids')::int > (select max(id) from svc.runs) as isBehind",
  );
  expect(ids[0].isbehind).toBe(true);
}, 240_000);
