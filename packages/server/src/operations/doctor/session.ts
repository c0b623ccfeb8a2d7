import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Finding, fault, warning, well } from './finding.ts';

const versionMin = 150_000;
const driftMaxMs = 5_000;
const noticeMaxMs = 5_000;
/** Startup settings of the service's connections. */
const startupSettings = {
  statement_timeout: 20_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;
const channel = 'svc_doctor';

/** Checks the server's version, the role's privileges, and the clock drift to this machine. */
export async function lookAtServer(client: pg.ClientBase): Promise<readonly Finding[]> {
  const requestedAt = Date.now();
  const { rows } = await client.query<{
    version: string;
    number: number;
    role: string;
    database: string;
    mayCreate: boolean;
    isSuperuser: boolean;
    now: Date;
    encoding: string;
    isStandby: boolean;
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_user as role, current_database() as database, clock_timestamp() as now,
      has_database_privilege(current_database(), 'CREATE') as "mayCreate",
      current_setting('is_superuser') = 'on' as "isSuperuser",
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby"`,
  );
  const [server] = rows;
  if (!server) return [];
  const answered = Date.now();
  const { role, database } = server;
  // The server's time is between request and response.
  const driftMs = Math.max(requestedAt - server.now.getTime(), server.now.getTime() - answered, 0);
  const driftText = `The clocks of this machine and of the database are ${(driftMs / 1_000).toFixed(1)} s apart.`;
  return [
    server.number >= versionMin
      ? well('PostgreSQL', `PostgreSQL ${server.version}, database ${database} as ${role}.`)
      : fault('PostgreSQL', `PostgreSQL ${server.version} is too old.`, 'Use PostgreSQL 15 or newer.'),
    server.isStandby
      ? fault(
          'Role',
          'The database is a standby that takes no writes.',
          'Name the primary in Svc:Database:ConnectionString.',
        )
      : server.mayCreate
        ? server.isSuperuser
          ? warning(
              'Role',
              `${role} is a superuser.`,
              'Give the service a role of its own that owns its database and nothing else.',
            )
          : well('Role', `${role} may make what the service needs.`)
        : fault(
            'Role',
            `The role ${role} lacks the privilege CREATE on database ${database}.`,
            `Run: grant create on database ${database} to ${role}`,
          ),
    server.encoding === 'UTF8'
      ? well('Encoding', 'The database is in UTF8.')
      : fault('Encoding', `The database is in ${server.encoding}.`, 'Make the database with encoding UTF8.'),
    driftMs > driftMaxMs
      ? warning(
          'Clock',
          driftText,
          'Let both follow a time server: times in the history are the service’s own.',
        )
      : well('Clock', 'The clocks of this machine and of the database agree.'),
  ];
}

/**
 * Checks that connections are sessions of the server. A transaction-pooling proxy changes the session between
 * statements: advisory locks, `LISTEN` and session settings do not work then.
 */
export async function lookAtSession(open: () => Promise<pg.Client>): Promise<readonly Finding[]> {
  const listener = await open();
  const sender = await open();
  try {
    const isOneSession = await staysInOneSession(listener, sender);
    const heard = new Promise<boolean>((resolve) => listener.once('notification', () => resolve(true)));
    await listener.query(`listen ${channel}`);
    await sender.query('select pg_notify($1, $2)', [channel, 'now']);
    const isHeard = await Promise.race([heard, delay(noticeMaxMs, false)]);
    const remedy =
      'Connect past the pooling proxy, or have it pool by session (PgBouncer: pool_mode = session): the service keeps its own pool (Svc:Database:PoolSize).';
    return [
      isOneSession
        ? well('Session', 'A connection is one session of the server.')
        : fault(
            'Session',
            'A proxy pools by transaction: statements of one connection reach several sessions of the server.',
            remedy,
          ),
      isHeard
        ? well('LISTEN', 'Notices of the database arrive.')
        : fault(
            'LISTEN',
            'Notices of the database do not arrive: pages are not live and jobs start late.',
            remedy,
          ),
    ];
  } finally {
    await Promise.all([listener.end(), sender.end()]);
  }
}

/**
 * Returns true if a connection remains in one session. A transaction-pooling proxy gives a free session to the next
 * request: the same one as before, unless another connection takes it. The second connection therefore occupies
 * that session. A proxy without a second session makes the first connection wait.
 */
async function staysInOneSession(first: pg.Client, second: pg.Client): Promise<boolean> {
  const sessionOf = async (client: pg.Client): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
  const before = await sessionOf(first);
  await second.query('begin');
  const isTaken = (await sessionOf(second)) === before;
  const after = sessionOf(first);
  const answered = await Promise.race([after, delay(noticeMaxMs, undefined)]);
  await second.query('rollback');
  return !isTaken && answered === before && (await after) === before;
}

/** Checks that a connection may start with the service's startup settings. A proxy may refuse them. */
export async function lookAtStartup(
  open: (settings: typeof startupSettings) => Promise<pg.Client>,
): Promise<Finding> {
  try {
    await (await open(startupSettings)).end();
    return well('Connections', 'A connection may begin as those of the service do.');
  } catch (error) {
    const remedy =
      'PgBouncer: ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout. Give the role both instead: alter role … set statement_timeout = 20000.';
    const text = `A connection may not begin with the settings of the service: ${(error as Error).message}.`;
    return fault('Connections', text, remedy);
  }
}
