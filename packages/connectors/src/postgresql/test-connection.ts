import type pg from 'pg';
import { ConnectorError } from '../error.ts';
import { tlsWarnings } from '../network/tls.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import { isPrivileged, type Login, readLogin, whyPrivileged } from './connection/login.ts';
import { openSession, type SessionGuards } from './connection/session.ts';
import type { PostgresqlConnection } from './settings.ts';

const limits = { maxBytes: 1024 * 1024, maxCellBytes: 64 * 1024 };

type RoleRow = {
  version: string;
  may_write: boolean;
};

/** A role that may write is not refused, because each run is read-only anyway. Its owner gets a warning. */
const roleStatement = `
  select current_setting('server_version') as version,
         r.rolcreaterole or r.rolcreatedb or r.rolreplication
         or pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
         or exists (
           select from pg_catalog.pg_namespace n
            where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
              and pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
         or exists (
           select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'f')
              and pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) as may_write
    from pg_catalog.pg_roles r
   where r.rolname = current_user`;

/** Connects and checks the login in the same way as a run. Reads the role's rights beyond reading. */
export async function testPostgresqlConnection(
  connection: PostgresqlConnection,
  options: CallOptions,
  guards: SessionGuards,
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, { ...options, limits, guards });
    try {
      const role = await readRole(session.client);
      const login = await readLogin(session.client);
      await session.finish();
      return {
        isOk: true,
        serverVersion: `PostgreSQL ${role.version}`,
        warnings: warnings(connection, role, login),
      };
    } catch (error) {
      const explained = session.explain(error);
      await session.abandon();
      throw explained;
    }
  } catch (error) {
    if (error instanceof ConnectorError) return { isOk: false, error };
    throw error;
  }
}

async function readRole(client: pg.Client): Promise<RoleRow> {
  const { rows } = await client.query<RoleRow>(roleStatement);
  const role = rows[0];
  if (!role) throw new ConnectorError('permission-denied', 'The server does not say what the role may do.');
  return role;
}

function warnings(
  connection: PostgresqlConnection,
  role: RoleRow,
  login: Login | undefined,
): ConnectionWarning[] {
  const loginWarnings: ConnectionWarning[] = [];
  if (isPrivileged(login)) {
    const code = login?.isSuperuser || login?.mayBecomeSuperuser ? 'superuser' : 'reads-server-files';
    loginWarnings.push({ code, message: `${whyPrivileged(login)} Use a role that may only read.` });
  }
  // The warning about a superuser already covers this.
  if (role.may_write && !login?.isSuperuser) {
    loginWarnings.push({
      code: 'may-write',
      message: 'The role may write or create objects in this database. Use a role that may only read.',
    });
  }
  return [...loginWarnings, ...tlsWarnings(connection)];
}
