import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describeMigrationProgress } from '@svc/jobs';
import pg from 'pg';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';
import {
  migrate,
  readMigrations,
  withMigrationConnection,
} from '../../packages/server/src/platform/db/migrate.ts';
import { fillHistoryOfBefore, summaryOfBefore, summaryOfNow } from '../../tools/test/history-of-before.ts';

/**
 * `node --conditions=svc-source trials/upgrade/opened-history.ts [runs] [kills]`: upgrades a database of 2,000,000 runs
 * from the schema before partitioned history. Kills the migrating process twice.
 */
const [runs = 2_000_000, kills = 2] = process.argv.slice(2).map(Number);
const killAfterMs = 15_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-trial-upgrade-'));
const cluster = await startBuiltInCluster({ dataDirectory: folder });
const connection = cluster.admin();
const client = new pg.Client(connection);
await client.connect();
const migrations = readMigrations();
const opening = migrations.findIndex(({ name }) => name.startsWith('0013-'));

function killedMigration(): Promise<void> {
  const script = path.join(import.meta.dirname, '../../tools/test/migrate-process.ts');
  const argument = JSON.stringify({ connection, migrations });
  const child: ChildProcess = spawn(process.execPath, ['--conditions=svc-source', script, argument]);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return delay(killAfterMs).then(() => {
    child.kill('SIGKILL');
    return ended;
  });
}

try {
  await migrate(client, migrations.slice(0, opening));
  await fillHistoryOfBefore(client, { runs, months: 14 });
  const before = await summaryOfBefore(client);
  console.log(`${runs} runs of before`);
  for (let kill = 1; kill <= kills; kill += 1) {
    await killedMigration();
    const { rows } = await client.query('select count(*)::int as carried from svc.runs');
    console.log(`killed ${kill} times, ${rows[0].carried} runs carried over`);
  }
  const startedAt = performance.now();
  await withMigrationConnection(connection, (own) =>
    migrate(own, migrations, (progress) => console.log(describeMigrationProgress(progress))),
  );
  const isEqual = isDeepStrictEqual(await summaryOfNow(client), before);
  console.log(
    `rest in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${isEqual ? 'equal' : 'NOT equal'}`,
  );
  process.exitCode = isEqual ? 0 : 1;
} finally {
  await client.end();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
