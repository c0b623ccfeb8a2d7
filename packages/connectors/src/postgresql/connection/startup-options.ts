import { randomBytes } from 'node:crypto';
import type { PostgresqlConnection } from '../settings.ts';
import { connectionKey } from './connection-pool.ts';
import type { Link } from './link.ts';

/**
 * Settings that no statement changes, [name, value, as the server tells it]. Given at sign-in they are what `DISCARD
 * ALL` goes back to, and need not be set in each transaction. A statement's own time limit is set there, and bounds its
 * waiting for locks as well.
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

/** A setting of ours that only a server process has which was started by our own sign-in. */
const mark = `svc.signed_in_${randomBytes(16).toString('hex')}`;

/** The settings, as `options` of the sign-in. */
export const startupOptionsText = [...settings.map(([name, value]) => [name, value]), [mark, '1']]
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Fails in a server process that our sign-in did not start, and with it everything behind it in the same exchange: so
 * what follows is run with the settings of the sign-in, or not at all.
 */
export const assertStartupOptions = `show ${mark}`;

const look = `select pg_catalog.pg_backend_pid()::text as pid, ${settings
  .map(([name], at) => `pg_catalog.current_setting('${name}', true) as "${at}"`)
  .join(', ')}`;

/**
 * Whether the settings of the sign-in are in force on a connection that has just signed in, and it leads to one server
 * process, not to one of several behind a pooler, which has cancel keys of its own.
 */
export async function areStartupOptionsInForce({ client, backendKey }: Link): Promise<boolean> {
  const told = await client.query<Record<string, string>>(look).then(
    ({ rows }) => rows[0],
    (error: unknown) => {
      if (!mayRefuseStartupOptions(error)) throw error;
    },
  );
  return (
    told?.['pid'] === String(backendKey()?.processId) &&
    settings.every(([, , value], at) => told[String(at)] === value)
  );
}

/** Which servers take settings at sign-in: poolers refuse most of them, or pass over them. */
export type StartupOptions = {
  /** Whether they are to be given. */
  readonly areWanted: (connection: PostgresqlConnection) => boolean;
  /** They were refused, or were not in force: for ten minutes they are not given. */
  readonly refuse: (connection: PostgresqlConnection) => void;
};

const refusedForMs = 600_000;
const entriesMax = 1_000;

/** Makes the memory, of one process. */
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

/** SQLSTATE classes that say nothing about settings: sign-in, database, resources, a server that stops or starts. */
const otherRefusals = new Set(['28', '3D', '53', '57']);

/** Whether a server that refused a sign-in, or to tell of its settings, may have done so for what was asked. */
export const mayRefuseStartupOptions = (error: unknown): boolean =>
  error instanceof Error &&
  'severity' in error &&
  'code' in error &&
  typeof error.code === 'string' &&
  !otherRefusals.has(error.code.slice(0, 2));
