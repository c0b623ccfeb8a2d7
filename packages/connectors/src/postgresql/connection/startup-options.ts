import { randomBytes } from 'node:crypto';
import type { PostgresqlConnection } from '../settings.ts';
import { connectionKey } from './connection-pool.ts';
import type { Link } from './link.ts';

/**
 * Constant settings: [name, value, value as the server reports it]. Set at sign-in, they are the values that `DISCARD
 * ALL` restores, so a transaction need not set them. A statement's time limit is set in its transaction and also
 * bounds its wait for locks.
 */
const settings = [
  ['datestyle', 'ISO,YMD', 'ISO, YMD'],
  ['intervalstyle', 'iso_8601', 'iso_8601'],
  ['timezone', 'UTC', 'UTC'],
  ['bytea_output', 'hex', 'hex'],
  ['extra_float_digits', '1', '1'],
  ['standard_conforming_strings', 'on', 'on'],
  ['lock_timeout', '0', '0'],
  ['idle_in_transaction_session_timeout', '60000', '1min'],
  ['client_connection_check_interval', '1000', '1s'],
] as const;

/** Setting that exists only in server processes that our own sign-in started. */
const mark = `svc.signed_in_${randomBytes(16).toString('hex')}`;

/** The settings, as `options` of the sign-in. */
export const startupOptionsText = [...settings.map(([name, value]) => [name, value]), [mark, '1']]
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Fails in a server process that our sign-in did not start, and with it all later statements of the same exchange.
 * They therefore run with the settings of the sign-in, or not at all.
 */
export const assertStartupOptions = `show ${mark}`;

const look = `select pg_catalog.pg_backend_pid()::text as pid, ${settings
  .map(([name], at) => `pg_catalog.current_setting('${name}', true) as "${at}"`)
  .join(', ')}`;

/**
 * Returns true if the settings of the sign-in are in force on a new connection, and it leads to one server process.
 * Behind a pooler with several processes, the pooler has its own cancel keys.
 */
export async function areStartupOptionsInForce({ client, backendKey }: Link): Promise<boolean> {
  const row = await client.query<Record<string, string>>(look).then(
    ({ rows }) => rows[0],
    (error: unknown) => {
      if (!mayRefuseStartupOptions(error)) throw error;
    },
  );
  return (
    row?.['pid'] === String(backendKey()?.processId) &&
    settings.every(([, , value], at) => row[String(at)] === value)
  );
}

/** Memory of the servers that accept settings at sign-in. Poolers refuse most settings, or ignore them. */
export type StartupOptions = {
  /** Returns true if the sign-in should set them. */
  readonly areWanted: (connection: PostgresqlConnection) => boolean;
  /** Records that the settings were refused or not in force. They are then not set for ten minutes. */
  readonly refuse: (connection: PostgresqlConnection) => void;
};

const refusedForMs = 600_000;
const entriesMax = 1_000;

/** Creates the memory of one process. */
export function createStartupOptions(): StartupOptions {
  const refusedUntil = new Map<string, number>();
  return {
    areWanted: (connection) =>
      (refusedUntil.get(connectionKey(connection)) ?? Number.NEGATIVE_INFINITY) < performance.now(),
    refuse: (connection) => {
      const key = connectionKey(connection);
      refusedUntil.delete(key);
      refusedUntil.set(key, performance.now() + refusedForMs);
      const [oldest] = refusedUntil.size > entriesMax ? refusedUntil.keys() : [];
      if (oldest !== undefined) refusedUntil.delete(oldest);
    },
  };
}

/** SQLSTATE classes unrelated to settings: sign-in, database, resources, a stopping or starting server. */
const otherRefusals = new Set(['28', '3D', '53', '57']);

/** Returns true if the settings may be the reason of a refused sign-in or a refused query of the settings. */
export const mayRefuseStartupOptions = (error: unknown): boolean =>
  error instanceof Error &&
  'severity' in error &&
  'code' in error &&
  typeof error.code === 'string' &&
  !otherRefusals.has(error.code.slice(0, 2));
