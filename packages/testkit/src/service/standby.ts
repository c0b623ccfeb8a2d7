import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type BuiltInCluster, startBuiltInCluster } from '../../../server/src/platform/db/built-in/index.ts';
import { placeCluster } from '../../../server/src/platform/db/built-in/location.ts';
import type { TestDatabase } from '../database/database.ts';
import { findPostgresPrograms } from '../database/postgres-programs.ts';

/** PostgreSQL server of one test file, with a streaming standby. */
export type StandbyPair = {
  /** Empty database on the primary. The owner is no superuser. */
  readonly testDatabase: TestDatabase;
  /** URL of the same database on the standby, for a setting. */
  readonly standbyUrl: string;
  /** Executes a statement as the superuser on the primary. */
  readonly onPrimary: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Executes a statement as the superuser on the standby. */
  readonly onStandby: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Returns the log of the standby: all statements with the application name of the client, and all errors. */
  readonly standbyLog: () => string;
  /** Waits until the standby has replayed the changes that the primary contains at the call. */
  readonly caughtUp: () => Promise<void>;
  readonly pauseReplay: () => Promise<void>;
  readonly resumeReplay: () => Promise<void>;
  /** Stops the standby. The supervisor does not restart it. */
  readonly killStandby: () => Promise<void>;
  readonly startStandby: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const settings = { wal_level: 'replica', wal_keep_size: '256MB', fsync: 'off', full_page_writes: 'off' };
const logged = { log_statement: 'all', log_line_prefix: '[%a] ' };
const role = 'svc_test';
const databaseName = 'svc';
const waitMsMax = 60_000;

/** Starts both servers. The standby is a base backup of the primary, as `pg_basebackup` creates it. */
export async function startStandbyPair(): Promise<StandbyPair> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-standby-'));
  chmodSync(folder, 0o755);
  const binaries = findPostgresPrograms();
  const begin = (name: 'primary' | 'standby'): Promise<BuiltInCluster> =>
    startBuiltInCluster({
      dataDirectory: path.join(folder, name),
      listensOnLoopback: true,
      settings: name === 'standby' ? { ...settings, ...logged } : settings,
      ...(binaries && { binaries }),
    });
  const primary = await begin('primary');
  const { password } = primary.admin();
  const query = async (cluster: BuiltInCluster, statement: string, database = databaseName) => {
    const client = new pg.Client(cluster.admin(database));
    await client.connect();
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  await query(primary, `create role ${role} login password '${password}'`, 'postgres');
  await query(primary, `create database ${databaseName} owner ${role}`, 'postgres');
  await copyToStandby(primary, { from: path.join(folder, 'primary'), to: path.join(folder, 'standby') });
  let standby = await begin('standby');
  const until = async (statement: string): Promise<void> => {
    for (const endMs = performance.now() + waitMsMax; ; ) {
      if ((await query(standby, `select ${statement} as done`))[0]?.['done'] === true) return;
      if (performance.now() > endMs) throw new Error(`The standby does not come to: ${statement}`);
    }
  };
  const at = (cluster: BuiltInCluster) => ({ host: '127.0.0.1', port: cluster.loopbackPort ?? 0 });
  const stop = async () => {
    await Promise.all([primary.stop(), standby.stop()]);
    for (const { location } of [primary, standby])
      rmSync(path.dirname(location.data), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    testDatabase: {
      connection: { ...at(primary), user: role, password, database: databaseName },
      adminConnection: { ...at(primary), user: 'postgres', password, database: databaseName },
      drop: async () => undefined,
    },
    standbyUrl: `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${at(standby).port}/${databaseName}`,
    onPrimary: (statement) => query(primary, statement),
    onStandby: (statement) => query(standby, statement),
    standbyLog: () => readFileSync(standby.location.logFile, 'utf8'),
    caughtUp: async () => {
      const [here] = await query(primary, 'select pg_current_wal_lsn()::text as lsn');
      await until(`pg_last_wal_replay_lsn() >= '${here?.['lsn']}'::pg_lsn`);
    },
    pauseReplay: async () => {
      await query(standby, 'select pg_wal_replay_pause()');
      await until(`pg_get_wal_replay_pause_state() = 'paused'`);
    },
    resumeReplay: async () => {
      await query(standby, 'select pg_wal_replay_resume()');
    },
    killStandby: async () => {
      standby.leave();
      await standby.stop();
    },
    startStandby: async () => {
      standby = await begin('standby');
    },
    stop,
  };
}

async function copyToStandby(
  primary: BuiltInCluster,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { data, user } = placeCluster(to);
  cpSync(path.join(from, 'secrets'), path.join(to, 'secrets'), { recursive: true });
  const { password } = primary.admin();
  const client = new pg.Client(primary.admin());
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  // Streaming transfers the write-ahead log. The other excluded files belong to the running server.
  const isCopied = (file: string): boolean =>
    !/\/(postmaster\.\w+|pg_wal\/.+|pg_replslot\/.+)$/.test(file.slice(primary.location.data.length));
  cpSync(primary.location.data, data, { recursive: true, filter: isCopied });
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  writeFileSync(path.join(data, 'backup_label'), rows[0].labelfile);
  writeFileSync(path.join(data, 'standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${primary.loopbackPort} user=postgres password=${password}`;
  appendFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  chmodSync(data, 0o700);
  if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
}
