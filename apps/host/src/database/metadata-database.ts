import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '@svc/jobs';
import {
  type BuiltInCluster,
  keptSecret,
  openAdminClient,
  startBuiltInCluster,
} from '@svc/server/built-in-database';
import type pg from 'pg';

/** Metadata database of a process. */
export type MetadataDatabase = {
  readonly connection: pg.ClientConfig;
  /** Only for the built-in server: connection of the superuser, to create the demo's database. */
  readonly admin: ((database: string) => pg.ClientConfig) | undefined;
  /** Port of the built-in server on 127.0.0.1, if it listens there. */
  readonly loopbackPort: number | undefined;
  /** Releases the lock and stops the built-in server. */
  readonly close: () => Promise<void>;
};

/** Advisory lock of the service that runs on a data directory. */
const serviceLockKey = 0x73766332;
/** Time for a stopping service to end before the next start is refused. */
const stoppingMaxMs = 20_000;
const lockLookMs = 250;
/** Deadline of a statement. */
const answerTimeoutMs = 30_000;
const serviceRole = 'svc';
const serviceDatabase = 'svc';

/** Returns the external PostgreSQL of a connection string. */
export function externalDatabase(connectionString: string): MetadataDatabase {
  return {
    connection: { connectionString },
    admin: undefined,
    loopbackPort: undefined,
    close: async () => undefined,
  };
}

/**
 * Starts the built-in PostgreSQL of a data directory, with a role (no superuser) and a database for the service.
 *
 * @throws Error if another service already runs on the same data directory.
 */
export async function builtInDatabase(options: {
  dataDirectory: string;
  listensOnLoopback: boolean;
  /** False for short commands next to a running service: they share its server and leave it running. Default true. */
  isExclusive?: boolean;
  say: (line: string) => void;
}): Promise<MetadataDatabase> {
  const { dataDirectory, say } = options;
  const { cluster, guard, isAlone } = await takeServer(options);
  if (cluster.isAdopted && isAlone)
    say('Built-in PostgreSQL: took over the server that an earlier run left behind.');
  const { value: password } = keptSecret(dataDirectory, 'postgres-service-password');
  await ensureRoleAndDatabase(guard, password);
  const { user: _user, password: _password, database: _database, ...address } = cluster.admin();
  return {
    connection: { ...address, user: serviceRole, password, database: serviceDatabase },
    admin: (database) => cluster.admin(database),
    loopbackPort: cluster.loopbackPort,
    close: async () => {
      await guard.end().catch(() => undefined);
      if (isAlone) await cluster.stop();
      else cluster.leave();
    },
  };
}

type Server = {
  readonly cluster: BuiltInCluster;
  /** Connection that owns the service's lock while it is open. */
  readonly guard: pg.Client;
  readonly isAlone: boolean;
};

/** Starts or joins the server and acquires the service's lock. Waits for a service that is stopping. */
async function takeServer({
  dataDirectory,
  listensOnLoopback,
  isExclusive = true,
  say,
}: Parameters<typeof builtInDatabase>[0]): Promise<Server> {
  const deadline = performance.now() + stoppingMaxMs;
  let isTold = false;
  for (;;) {
    const cluster = await startBuiltInCluster({
      dataDirectory,
      listensOnLoopback,
      ...(!isTold && { onNotice: say }),
    });
    const guard = openAdminClient(cluster.admin());
    // A server that stops together with its service ends the connection. The next iteration starts it again.
    let failure: unknown = new Error(
      `Another service already runs on the data directory ${dataDirectory}. Stop it, or name another one with Svc__DataDirectory.`,
    );
    try {
      await guard.connect();
      const isAlone = await tryLock(guard);
      if (isAlone || !isExclusive) return { cluster, guard, isAlone };
    } catch (error) {
      failure = error;
    }
    await guard.end().catch(() => undefined);
    cluster.leave();
    if (performance.now() > deadline) throw failure;
    if (!isTold) say('Another service runs on the data directory: waiting for it to stop ...');
    isTold = true;
    await delay(lockLookMs);
  }
}

async function tryLock(guard: pg.Client): Promise<boolean> {
  const { rows } = await guard.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    serviceLockKey,
  ]);
  return rows[0]?.held === true;
}

async function ensureRoleAndDatabase(admin: pg.Client, password: string): Promise<void> {
  const role = await admin.query('select from pg_roles where rolname = $1', [serviceRole]);
  const quoted = admin.escapeLiteral(password);
  if (role.rowCount === 0) await admin.query(`create role ${serviceRole} login password ${quoted}`);
  const database = await admin.query('select from pg_database where datname = $1', [serviceDatabase]);
  if (database.rowCount === 0) await admin.query(`create database ${serviceDatabase} owner ${serviceRole}`);
  // Only the service's role may connect to the metadata, because the demo's reader uses the same server.
  await admin.query(`revoke connect on database ${serviceDatabase} from public`);
}

/** Returns true if the database already contains encrypted secrets. */
export async function hasStoredSecrets(connection: pg.ClientConfig): Promise<boolean> {
  const client = openClient({ ...connection, answerTimeoutMs });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select to_regclass('svc.encryption_key_checks') is not null as migrated",
    );
    if (rows[0].migrated !== true) return false;
    const kept = await client.query('select from svc.encryption_key_checks limit 1');
    return kept.rowCount === 1;
  } finally {
    await client.end();
  }
}
