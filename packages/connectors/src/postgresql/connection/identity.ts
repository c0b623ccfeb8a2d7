import type pg from 'pg';
import { ConnectorError } from '../../error.ts';

/**
 * Identity of a PostgreSQL database, independent of its address. The system identifier is null if the role may not
 * read it; then the server's start time identifies the server.
 */
export type DatabaseIdentity = {
  readonly systemIdentifier: string | null;
  readonly startedAt: string;
  readonly database: string;
};

const identityStatement = `
  select (select system_identifier::text from pg_catalog.pg_control_system()) as "systemIdentifier",
         extract(epoch from pg_catalog.pg_postmaster_start_time())::text as "startedAt",
         pg_catalog.current_database()::text as "database"`;

const identityStatementWithoutControl = identityStatement.replace(
  '(select system_identifier::text from pg_catalog.pg_control_system())',
  'null::text',
);

/** SQLSTATEs of a missing privilege and of a missing function (servers that only speak the protocol). */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '42883');

/** Reads the identity of the connected database. It must run outside a transaction: the first attempt may fail. */
export async function readDatabaseIdentity(client: Pick<pg.Client, 'query'>): Promise<DatabaseIdentity> {
  const rows = await client.query<DatabaseIdentity>(identityStatement).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
    return client.query<DatabaseIdentity>(identityStatementWithoutControl);
  });
  const identity = rows.rows[0];
  if (!identity) throw new ConnectorError('connection-lost', 'The server did not say which database it is.');
  return identity;
}

/** Throws `own-database` if the connected database is one of the service's own. */
export async function assertNotOwnDatabase(
  client: Pick<pg.Client, 'query'>,
  ownDatabases: readonly DatabaseIdentity[],
): Promise<void> {
  if (ownDatabases.length === 0) return;
  const identity = await readDatabaseIdentity(client);
  if (!ownDatabases.some((database) => isSameDatabase(database, identity))) return;
  throw new ConnectorError(
    'own-database',
    'This is the database that the service keeps its own records in; it cannot be a data source.',
  );
}

function isSameDatabase(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  if (one.database !== other.database) return false;
  if (one.systemIdentifier !== null && other.systemIdentifier !== null) {
    return one.systemIdentifier === other.systemIdentifier;
  }
  return one.startedAt === other.startedAt;
}
