import type { Connector } from '../port.ts';
import { postgresqlDialect } from '../sql/dialects.ts';
import { postgresqlDryRun } from '../sql/dry-run.ts';
import { type ConnectionPoolOptions, createConnectionPool } from './connection/connection-pool.ts';
import type { DatabaseIdentity } from './connection/identity.ts';
import { createLoginGuard, readerRoleScript } from './connection/login.ts';
import { createStartupOptions } from './connection/startup-options.ts';
import { executePostgresql } from './execute/execute.ts';
import { readPassThrough } from './execute/read-pass-through.ts';
import { createSpeculatedTables } from './execute/speculated-tables.ts';
import { createTypeNameCache } from './execute/type-names.ts';
import { checkRead } from './gate/checked-read.ts';
import { createCatalogueCache } from './lineage/catalogue-cache.ts';
import { readPostgresqlMetadata } from './metadata.ts';

import { type PostgresqlConnection, postgresqlSettings } from './settings.ts';
import { testPostgresqlConnection } from './test-connection.ts';

export type PostgresqlOptions = {
  /** Databases that may never be a data source: the service's own. */
  readonly ownDatabases?: readonly DatabaseIdentity[];
  /** Bounds on connections that wait for a next statement. Default: an idle time of 2 s. */
  readonly keepConnections?: ConnectionPoolOptions;
};

/**
 * Creates the connector for PostgreSQL 10 and later. Every statement has exclusive use of a connection, inside one
 * read-only transaction that is rolled back. The session is then reset (`DISCARD ALL`), so that its state cannot
 * affect the next statement. After a successful reset the connection waits briefly for a next statement with the same
 * settings. Signing in costs ten times as much as a small statement. A failure, a cancel or a limit drops the
 * connection.
 */
export function createPostgresqlConnector(
  options: PostgresqlOptions = {},
): Connector<PostgresqlConnection> & { readonly close: () => void } {
  const guards = { ownDatabases: options.ownDatabases ?? [], logins: createLoginGuard() };
  const pool = createConnectionPool(options.keepConnections);
  const tables = createSpeculatedTables();
  const catalogues = createCatalogueCache();
  const startupOptions = createStartupOptions();
  const typeNames = createTypeNameCache();
  const deps = { guards, pool, tables, catalogues, startupOptions, typeNames };
  return {
    engine: 'PostgreSQL',
    label: 'PostgreSQL',
    settings: postgresqlSettings,
    dialect: postgresqlDialect,
    dryRun: postgresqlDryRun(async ({ sql }) => {
      await checkRead(sql);
    }),
    roleScript: readerRoleScript,
    testConnection: (connection, call) => testPostgresqlConnection(connection, call, guards),
    readMetadata: (connection, call) => readPostgresqlMetadata(connection, call, guards),
    execute: (connection, statement, call) => executePostgresql(connection, statement, call, deps),
    readPassThrough: (connection, statement, call) => readPassThrough(connection, statement, call, deps),
    close: pool.close,
  };
}
