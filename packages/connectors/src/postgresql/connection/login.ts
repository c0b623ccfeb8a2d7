import type pg from 'pg';
import { ConnectorError } from '../../error.ts';
import type { CallOptions } from '../../port.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { connectionKey } from './connection-pool.ts';

/** Rights of a login that a read-only transaction does not restrict. */
export type Login = {
  readonly isSuperuser: boolean;
  /** The login may become a superuser by `SET ROLE`. */
  readonly mayBecomeSuperuser: boolean;
  /** Predefined roles for files and programs of the server of which the login is a direct or indirect member. */
  readonly serverRoles: readonly string[];
};

/**
 * Every role of which the login is a member counts, with or without inheritance: the login could `SET ROLE`. The
 * login is the session's user, because a role that the server sets at sign-in can be reset.
 */
const loginStatement = `
  select coalesce(bool_or(r.rolsuper and r.rolname = session_user), false) as "isSuperuser",
         coalesce(bool_or(r.rolsuper and r.rolname <> session_user), false) as "mayBecomeSuperuser",
         coalesce(array_agg(r.rolname::text order by r.rolname) filter (where not r.rolsuper), '{}') as "serverRoles"
    from pg_catalog.pg_roles r
   where (r.rolsuper or r.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
     and pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')`;

const remedy = 'Use a role that may only read, or accept the login in the settings of the data source.';

/** SQLSTATE class of statements that the server does not understand or allow. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('42');

/** Queries the rights of the signed-in login. Undefined: the server does not report them, and a transaction is aborted. */
export async function readLogin(client: Pick<pg.Client, 'query'>): Promise<Login | undefined> {
  return client.query<Login>(loginStatement).then(
    ({ rows }) => rows[0],
    (error: unknown) => {
      if (!isAnswer(error)) throw error;
      return undefined;
    },
  );
}

/** Returns true also for a login with unknown rights. */
export const isPrivileged = (login: Login | undefined): boolean =>
  login === undefined || login.isSuperuser || login.mayBecomeSuperuser || login.serverRoles.length > 0;

/** Returns a message about a privileged login. It names none of the owner's own roles. */
export function whyPrivileged(login: Login | undefined): string {
  if (!login) return 'The server does not say what the login may do.';
  const { isSuperuser, mayBecomeSuperuser, serverRoles } = login;
  const what = isSuperuser
    ? 'is a superuser'
    : mayBecomeSuperuser
      ? 'is a member of a superuser role'
      : `is a member of ${serverRoles.join(' and ')}`;
  return `The login ${what}: a read-only transaction does not keep it from files or programs of the server.`;
}

/** Refuses logins with more rights than a data source needs. */
export type LoginGuard = {
  /** Returns true if a cached check allows the login of these settings, so that no query is needed. */
  readonly isKnownFit: (connection: PostgresqlConnection, options: CallOptions) => boolean;
  /** Queries the rights. Throws `privileged-login` unless the settings accept such a login or the caller tolerates it. */
  readonly assertFit: (
    client: Pick<pg.Client, 'query'>,
    connection: PostgresqlConnection,
    options: CallOptions,
  ) => Promise<void>;
};

/** Lifetime of a cached check. Rights change seldom, but a pool lives as long as its settings are used. */
const knownForMs = 600_000;
const entriesMax = 1_000;

/**
 * Creates the guard, with a cache for one process. A refusal, also in a test, deletes the cached check. A corrected
 * role therefore works immediately, and a role that became privileged stops working immediately.
 */
export function createLoginGuard(): LoginGuard {
  const logins = new Map<string, { readonly isPrivileged: boolean; readonly until: number }>();

  const keep = (connection: PostgresqlConnection, isPrivileged: boolean): void => {
    const key = connectionKey(connection);
    logins.delete(key);
    logins.set(key, { isPrivileged, until: performance.now() + knownForMs });
    const [oldest] = logins.size > entriesMax ? logins.keys() : [];
    if (oldest !== undefined) logins.delete(oldest);
  };

  const isAllowed = (isPrivileged: boolean, { noteLogin }: CallOptions): boolean => {
    noteLogin?.(isPrivileged);
    return !isPrivileged || noteLogin !== undefined;
  };

  return {
    isKnownFit: (connection, options) => {
      if (connection.acceptPrivilegedLogin) return true;
      const answer = logins.get(connectionKey(connection));
      return (
        answer !== undefined && answer.until > performance.now() && isAllowed(answer.isPrivileged, options)
      );
    },

    assertFit: async (client, connection, options) => {
      if (connection.acceptPrivilegedLogin) return;
      const login = await readLogin(client);
      if (!isAllowed(isPrivileged(login), options)) {
        logins.delete(connectionKey(connection));
        throw new ConnectorError('privileged-login', `${whyPrivileged(login)} ${remedy}`);
      }
      keep(connection, isPrivileged(login));
    },
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns statements that create a read-only role. The owner of the database adapts and runs them. */
export const readerRoleScript = (database: string): string =>
  [
    "create role svc_reader login password 'choose a password' nosuperuser nocreatedb nocreaterole noreplication;",
    `grant connect on database ${quoted(database)} to svc_reader;`,
    '-- For each schema that queries read:',
    'grant usage on schema public to svc_reader;',
    'grant select on all tables in schema public to svc_reader;',
    'alter default privileges in schema public grant select on tables to svc_reader;',
    '',
  ].join('\n');
