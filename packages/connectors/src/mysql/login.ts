import { ConnectorError } from '../error.ts';
import { createLoginCache, type LoginCache } from '../http/login-cache.ts';
import type { CallOptions } from '../port.ts';
import { mysqlDialect } from '../sql/dialects.ts';
import { openSession, query, type Session, type SessionLimits } from './session.ts';
import type { MysqlConnection } from './settings.ts';

/** Rights of a signed-in login. */
export type Login = {
  /** Lines of `SHOW GRANTS`, including those of its roles. */
  readonly grants: readonly string[];
  /** Sorted privileges over the server itself. A read-only transaction does not restrict them. */
  readonly serverPrivileges: readonly string[];
};

/** Logins that this process has read. */
export type MysqlLogins = LoginCache<MysqlConnection, Login>;

export const createMysqlLogins = (): MysqlLogins => createLoginCache(mysqlDialect);

/** Privileges over data, and privileges that only show server state without the statements of other sessions. */
const ordinaryPrivileges = new Set([
  'USAGE',
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'CREATE',
  'DROP',
  'REFERENCES',
  'INDEX',
  'ALTER',
  'CREATE TEMPORARY TABLES',
  'LOCK TABLES',
  'EXECUTE',
  'CREATE VIEW',
  'SHOW VIEW',
  'CREATE ROUTINE',
  'ALTER ROUTINE',
  'SHOW CREATE ROUTINE',
  'SHOW_ROUTINE',
  'EVENT',
  'TRIGGER',
  'DELETE HISTORY',
  'SHOW DATABASES',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
  'SLAVE MONITOR',
  'REPLICA MONITOR',
]);

/** Reads the grants of the login and all its roles, including inactive ones: a statement could set them. */
export async function readLogin(session: Session): Promise<Login> {
  const { client, isMariaDb, lost } = session;
  const run = (sql: string) => Promise.race([query<Record<string, unknown>>(client, sql), lost]);
  const show = async (sql: string) => (await run(sql)).flatMap((row) => Object.values(row).map(String));
  const grants = await show('SHOW GRANTS');
  const roles = [...new Set(grants.flatMap(rolesOf))];
  if (roles.length > 0 && !isMariaDb) {
    grants.push(...(await show(`SHOW GRANTS FOR CURRENT_USER() USING ${roles.join(', ')}`)));
  } else if (roles.length > 0) {
    // MariaDB shows the grants of a role, and of the roles within it, only while the role is set.
    const [current] = await run('SELECT CURRENT_ROLE() AS name');
    for (const role of roles) {
      await run(`SET ROLE ${role}`);
      grants.push(...(await show('SHOW GRANTS FOR CURRENT_ROLE')));
    }
    const name = current?.['name'];
    await run(`SET ROLE ${typeof name === 'string' ? quoted(name) : 'NONE'}`);
  }
  return { grants, serverPrivileges: serverPrivilegesOf(grants) };
}

/** Returns the roles that a line grants to a user, each with the server's quotes. */
function rolesOf(grant: string): string[] {
  const [, list = '', to = ''] = /^GRANT (.+?) TO (\S+)/i.exec(grant) ?? [];
  if (/ ON /i.test(list) || !to.includes('@')) return [];
  return list.match(/`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?/g) ?? [];
}

/** Returns privileges over the whole server that are not ordinary. A line that cannot be parsed counts as one. */
function serverPrivilegesOf(grants: readonly string[]): string[] {
  const privileges = grants.flatMap((grant) => {
    if (/^GRANT PROXY ON /i.test(grant)) return ['PROXY'];
    if (!/^GRANT /i.test(grant) || / ON \*\.\* TO /i.test(grant)) {
      return privilegesOf(grant).filter((privilege) => !ordinaryPrivileges.has(privilege));
    }
    return [];
  });
  return [...new Set(privileges)].sort();
}

/** Returns the privileges of `GRANT SELECT, INSERT (a) ON …`. The grant of a role has no privileges. */
export function privilegesOf(grant: string): string[] {
  const list = /^GRANT (.+?) ON /i.exec(grant)?.[1];
  return (list ?? '')
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((privilege) => privilege.trim().toUpperCase())
    .filter((privilege) => privilege !== '');
}

/** Returns a message about a privileged login. */
const whyPrivileged = ({ serverPrivileges }: Login): string =>
  `The login has ${serverPrivileges.join(', ')} on the server: a read-only transaction does not keep it from files, settings or statements of others.`;

const remedy = 'Use a user that may only read, or accept the login in the settings of the data source.';

/**
 * Opens a session and checks its login. Throws `privileged-login` unless the settings accept such a login or the
 * caller tolerates it.
 */
export async function openFitSession(
  logins: MysqlLogins,
  connection: MysqlConnection,
  options: CallOptions & { readonly limits: SessionLimits },
): Promise<Session> {
  const session = await openSession(connection, options);
  try {
    if (!connection.acceptPrivilegedLogin) assertFit(await loginOf(logins, connection, session), options);
    return session;
  } catch (error) {
    const explained = session.explain(error);
    await session.abandon();
    throw explained;
  }
}

/** Returns the login of a session. A login that is not privileged is cached for ten minutes. */
async function loginOf(logins: MysqlLogins, connection: MysqlConnection, session: Session): Promise<Login> {
  const cached = logins.loginOf(connection);
  if (cached) return cached;
  const login = await readLogin(session);
  if (login.serverPrivileges.length === 0) logins.storeLogin(connection, login);
  return login;
}

function assertFit(login: Login, { noteLogin }: CallOptions): void {
  const isPrivileged = login.serverPrivileges.length > 0;
  noteLogin?.(isPrivileged);
  if (!isPrivileged || noteLogin) return;
  throw new ConnectorError('privileged-login', `${whyPrivileged(login)} ${remedy}`);
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Returns statements that create a user with read access to this database only. The owner adapts and runs them. */
export const mysqlReaderScript = (database: string): string =>
  [
    "create user svc_reader identified by 'choose a password';",
    `grant select, show view on ${quoted(database)}.* to svc_reader;`,
    '',
  ].join('\n');
