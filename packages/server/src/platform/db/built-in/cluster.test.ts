import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startBuiltInCluster } from './cluster.ts';
import { placeCluster } from './location.ts';
import { runningPid } from './server-process.ts';

const dataDirectory = temporaryDataDirectories();

async function ask(connection: pg.ClientConfig, sql: string): Promise<unknown> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return Object.values(rows[0])[0];
}

test('a cluster starts, retains its data over a restart, and leaves no process behind', async () => {
  const directory = dataDirectory();
  const first = await startBuiltInCluster({ dataDirectory: directory });
  await ask(first.admin(), 'create table kept as select 42 as value').catch(() => undefined);
  expect(await ask(first.admin(), 'show fsync')).toBe('on');
  await first.stop();
  expect(runningPid(first.location)).toBeUndefined();

  const second = await startBuiltInCluster({ dataDirectory: directory });
  expect(second.isAdopted).toBe(false);
  expect(await ask(second.admin(), 'select value from kept')).toBe(42);
  await second.stop();
});

test('a data directory that cannot be created or written is reported with the setting to change', () => {
  const nothing = dataDirectory();
  symlinkSync(`${nothing}-mounted`, nothing);
  expect(() => placeCluster(nothing)).toThrow(
    /^The data directory .* cannot be used: ENOENT.* Set Svc:DataDirectory/,
  );
  const blocked = dataDirectory();
  writeFileSync(blocked, '');
  expect(() => placeCluster(blocked)).toThrow(
    /^The data directory .* cannot be used: EEXIST.* Set Svc:DataDirectory/,
  );
});

test('only the owner can access the socket and the secrets, and every connection requires the password', async () => {
  const directory = dataDirectory();
  const cluster = await startBuiltInCluster({ dataDirectory: directory, listensOnLoopback: true });
  expect(statSync(cluster.location.socket).mode & 0o077).toBe(0);
  expect(statSync(path.join(directory, 'secrets')).mode & 0o077).toBe(0);
  const wrong = { ...cluster.admin(), password: 'wrong' };
  await expect(ask(wrong, 'select 1')).rejects.toThrow('password authentication failed');
  await expect(
    ask({ ...wrong, host: '127.0.0.1', port: cluster.loopbackPort ?? 0 }, 'select 1'),
  ).rejects.toThrow('password authentication failed');
  await cluster.stop();
});

test('a server that a crashed service left running is adopted, not started twice', async () => {
  const directory = dataDirectory();
  const crashed = await startBuiltInCluster({ dataDirectory: directory });
  const pid = runningPid(crashed.location);
  const adopted = await startBuiltInCluster({ dataDirectory: directory });
  expect(adopted.isAdopted).toBe(true);
  expect(runningPid(adopted.location)).toBe(pid);
  await crashed.stop();
  await adopted.stop();
});

test('a server that stops while it is adopted is replaced by another one', async () => {
  const directory = dataDirectory();
  const crashed = await startBuiltInCluster({ dataDirectory: directory });
  crashed.leave();
  const pid = runningPid(crashed.location) ?? 0;
  const session = new pg.Client(crashed.admin());
  await session.connect();
  // The server takes no new sessions, and stops when the last one has ended.
  process.kill(pid, 'SIGTERM');
  const next = startBuiltInCluster({ dataDirectory: directory });
  await new Promise((resolve) => setImmediate(resolve));
  await session.end();
  const cluster = await next;
  expect(runningPid(cluster.location)).not.toBe(pid);
  await cluster.stop();
});

test('a killed server restarts automatically', async () => {
  const cluster = await startBuiltInCluster({ dataDirectory: dataDirectory() });
  const pid = runningPid(cluster.location) ?? 0;
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => ask(cluster.admin(), 'select 1').catch(() => undefined), { timeout: 30_000, interval: 200 })
    .toBe(1);
  expect(runningPid(cluster.location)).not.toBe(pid);
  await cluster.stop();
});

test('a start replaces the remains of a killed first start and removes its password files', async () => {
  const directory = dataDirectory();
  const base = path.dirname(placeCluster(directory).data);
  // Id of a process that has ended.
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(path.join(base, `data.${pid}`, 'base'), { recursive: true });
  writeFileSync(path.join(base, `data.${pid}`, 'PG_VERSION'), '18');
  writeFileSync(path.join(base, `initial-${pid}`), 'a password');
  mkdirSync(path.join(directory, 'secrets'));
  writeFileSync(path.join(directory, 'secrets', `postgres-admin-password.${pid}`), 'half a pass');
  // A running process is working on this one.
  writeFileSync(path.join(base, `initial-${process.ppid}`), 'another');
  const cluster = await startBuiltInCluster({ dataDirectory: directory });
  expect(await ask(cluster.admin(), 'select 1')).toBe(1);
  await cluster.stop();
  const names = readdirSync(base).filter((name) => /^(data[.]|initial-)/.test(name));
  expect(names).toEqual([`initial-${process.ppid}`]);
  expect(readdirSync(path.join(directory, 'secrets'))).toEqual(['postgres-admin-password']);
});

test.skipIf(process.platform !== 'linux')(
  'another process that now has the id of a killed server is not taken for the server',
  async () => {
    const directory = dataDirectory();
    const first = await startBuiltInCluster({ dataDirectory: directory });
    await first.stop();
    const pidFile = path.join(first.location.data, 'postmaster.pid');
    expect(existsSync(pidFile)).toBe(false);
    // The parent of this process: PostgreSQL already handles the ids of the server's parents.
    writeFileSync(pidFile, `${process.ppid}\n${first.location.data}\n0\n5432\n${first.location.socket}\n\n`);
    expect(runningPid(first.location)).toBeUndefined();
  },
);
