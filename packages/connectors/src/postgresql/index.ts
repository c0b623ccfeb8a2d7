import type { Connector } from '../port.ts';
import { postgresqlDialect } from '../sql/dialects.ts';
import { postgresqlDryRun } from '../sql/dry-run.ts';
import { executePostgresql } from './execute.ts';
import type { DatabaseIdentity } from './identity.ts';
import { readPostgresqlMetadata } from './metadata.ts';
import { postgresqlRules } from './rules.ts';
import { type PostgresqlConnection, postgresqlSettings } from './settings.ts';
import { testPostgresqlConnection } from './test-connection.ts';

export type PostgresqlOptions = {
  /** Databases that may never be a data source: the service's own. */
  readonly ownDatabases?: readonly DatabaseIdentity[];
};

/**
 * PostgreSQL 10 and later. Every call has a connection of its own, inside one read-only transaction that is rolled
 * back, and the connection is dropped: nothing that a statement leaves behind can meet the next one.
 */
export function createPostgresqlConnector(options: PostgresqlOptions = {}): Connector<PostgresqlConnection> {
  const ownDatabases = options.ownDatabases ?? [];
  return {
    engine: 'PostgreSQL',
    label: 'PostgreSQL',
    settings: postgresqlSettings,
    dialect: postgresqlDialect,
    dryRun: postgresqlDryRun(postgresqlRules),
    testConnection: (connection, call) => testPostgresqlConnection(connection, call, ownDatabases),
    readMetadata: (connection, call) => readPostgresqlMetadata(connection, call, ownDatabases),
    execute: (connection, statement, call) => executePostgresql(connection, statement, call, ownDatabases),
  };
}
