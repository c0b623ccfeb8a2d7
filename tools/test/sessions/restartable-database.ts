import { findPostgresPrograms } from '@svc/testkit/database/postgres-programs.ts';
import pg from 'pg';
import { startBuiltInCluster } from '../../../packages/server/src/platform/db/built-in/index.ts';
import { runningPid } from '../../../packages/server/src/platform/db/built-in/server-process.ts';

/** State of a session when it was terminated. */
export const sessionKinds = ['idle in transaction', 'querying', 'listening'] as const;
export type SessionKind = (typeof sessionKinds)[number];

type Connection = { host: string; port: number; user: string; password: string; database: string };

/** A server with the service's database and a watched database. Tests terminate its sessions and restart it. */
export type RestartableDatabase = {
  readonly own: Connection;
  readonly shop: Connection;
  /** Terminates one random session; false when no session of the kind appeared in time. */
  readonly terminateOne: (kind: SessionKind) => Promise<boolean>;
  /** Stops the server like an administrator or a crash, and resolves when it accepts connections again. */
  readonly restart: (how: 'fast' | 'crash') => Promise<void>;
  readonly query: (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  readonly stop: () => Promise<void>;
};

const role = 'trial';
const password = 'password-of-the-trial';
const looksMax = 400;
const downMsMax = 60_000;

const conditions: Readonly<Record<SessionKind, string>> = {
  'idle in transaction': "state like 'idle in transaction%'",
  querying: "state = 'active'",
  listening: "application_name like '%listener'",
};

async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the server in a data directory, durable as in production, with two new databases. */
export async function startRestartableDatabase(dataDirectory: string): Promise<RestartableDatabase> {
  const binaries = findPostgresPrograms();
  const cluster = await startBuiltInCluster({
    dataDirectory,
    ...(binaries && { binaries }),
    listensOnLoopback: true,
  });
  const admin = cluster.admin();
  const suffix = Date.now();
  const connectionTo = (database: string): Connection => ({
    host: '127.0.0.1',
    port: admin.port,
    user: role,
    password,
    database,
  });
  const [own, shop] = [connectionTo(`own_${suffix}`), connectionTo(`shop_${suffix}`)];
  await withClient(admin, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (!rowCount) await client.query(`create role ${role} login password '${password}'`);
    for (const { database } of [own, shop]) await client.query(`create database ${database} owner ${role}`);
  });
  await withClient(shop, async (client) => {
    await client.query('create table orders (id int primary key, email text not null)');
    await client.query(
      "insert into orders select g, 'c' || g || '@example.org' from generate_series(1, 3) g",
    );
  });

  return {
    own,
    shop,
    query: (text, values) => withClient(own, (client) => client.query(text, values)),
    terminateOne: (kind) =>
      withClient(admin, async (client) => {
        for (let look = 0; look < looksMax; look += 1) {
          const { rowCount } = await client.query(
            `select pg_terminate_backend(pid) from (
               select pid from pg_stat_activity
               where datname = any($1) and backend_type = 'client backend' and ${conditions[kind]}
               order by random() limit 1) found`,
            [[own.database, shop.database]],
          );
          if (rowCount) return true;
          await pause(1);
        }
        return false;
      }),
    restart: async (how) => {
      const pid = runningPid(cluster.location);
      if (pid === undefined) throw new Error('The server does not run.');
      process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      const endMs = performance.now() + downMsMax;
      // The watchdog of the server restarts it.
      while (runningPid(cluster.location) === pid && performance.now() < endMs) await pause(10);
      for (;;) {
        const isUp = await withClient(own, async () => true).catch(() => false);
        if (isUp) return;
        if (performance.now() > endMs) throw new Error('The server did not come back.');
        await pause(10);
      }
    },
    stop: () => cluster.stop(),
  };
}
