import type pg from 'pg';
import { ConnectorError } from '../error.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import { tlsWarnings } from '../tls.ts';
import type { DatabaseIdentity } from './identity.ts';
import { openSession } from './session.ts';
import type { PostgresqlConnection } from './settings.ts';

const limits = { maxBytes: 1024 * 1024, maxCellBytes: 64 * 1024 };

type RoleRow = {
  version: string;
  is_superuser: boolean;
  may_write: boolean;
  reads_server_files: boolean;
};

/** A role that may write is refused nothing here: each run is read-only all the same. Its owner should know, though. */
const roleStatement = `
  select current_setting('server_version') as version,
         r.rolsuper as is_superuser,
         exists (
           select from pg_catalog.pg_roles g
            where g.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
              and pg_catalog.pg_has_role(g.oid, 'USAGE')) as reads_server_files,
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

/** Connects as a run would, and looks at what the role may do beyond reading. */
export async function testPostgresqlConnection(
  connection: PostgresqlConnection,
  options: CallOptions,
  ownDatabases: readonly DatabaseIdentity[],
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, { ...options, limits, ownDatabases });
    try {
      const role = await readRole(session.client);
      await session.finish();
      return {
        isOk: true,
        serverVersion: `PostgreSQL ${role.version}`,
        warnings: warnings(connection, role),
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

function warnings(connection: PostgresqlConnection, role: RoleRow): ConnectionWarning[] {
  const found: ConnectionWarning[] = [];
  if (role.is_superuser) {
    found.push({
      code: 'superuser',
      message:
        'The role is a superuser: it can write files and run programs on the server even from a read-only transaction. Use a role that may only read.',
    });
  } else {
    if (role.reads_server_files) {
      found.push({
        code: 'reads-server-files',
        message: 'The role may reach files or programs of the server. Use a role that may only read tables.',
      });
    }
    if (role.may_write) {
      found.push({
        code: 'may-write',
        message: 'The role may write or create objects in this database. Use a role that may only read.',
      });
    }
  }
  return [...found, ...tlsWarnings(connection)];
}
