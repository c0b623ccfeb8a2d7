import type { Connector } from '../port.ts';
import { postgresqlDialect } from '../sql/dialects.ts';
import { postgresqlDryRun } from '../sql/dry-run.ts';
import { executePostgresql } from './execute.ts';
import type { DatabaseIdentity } from './identity.ts';
import { createKeptLinks, type KeepOptions } from './kept-links.ts';
import { createLoginGuard, readerRoleScript } from './login.ts';
import { readPostgresqlMetadata } from './metadata.ts';
import { createPresumedTables } from './presumed-tables.ts';
import { postgresqlRules } from './rules.ts';
import { type PostgresqlConnection, postgresqlSettings } from './settings.ts';
import { createSignedSettings } from './signed-settings.ts';
import { testPostgresqlConnection } from './test-connection.ts';

export type PostgresqlOptions = {
  /** Databases that may never be a data source: the service's own. */
  readonly ownDatabases?: readonly DatabaseIdentity[];
  /** How long connections wait for a next statement. Default 2 s. */
  readonly keepConnections?: KeepOptions;
};

/**
 * PostgreSQL 10 and later. Every statement has a connection to itself, inside one read-only transaction that is rolled
 * back; then the session is reset (`DISCARD ALL`), so that nothing that a statement leaves behind can meet the next
 * one. Where that went well, the connection waits a moment for a next statement with the same settings: signing in
 * costs ten times what a small statement does. After a failure, a cancel or a limit it is dropped.
 */
export function createPostgresqlConnector(
  options: PostgresqlOptions = {},
): Connector<PostgresqlConnection> & { readonly close: () => void } {
  const guards = { ownDatabases: options.ownDatabases ?? [], logins: createLoginGuard() };
  const kept = createKeptLinks(options.keepConnections);
  const tables = createPresumedTables();
  const signedSettings = createSignedSettings();
  return {
    engine: 'PostgreSQL',
    label: 'PostgreSQL',
    settings: postgresqlSettings,
    dialect: postgresqlDialect,
    dryRun: postgresqlDryRun(postgresqlRules),
    roleScript: readerRoleScript,
    testConnection: (connection, call) => testPostgresqlConnection(connection, call, guards),
    readMetadata: (connection, call) => readPostgresqlMetadata(connection, call, guards),
    execute: (connection, statement, call) =>
      executePostgresql(connection, statement, call, { guards, kept, tables, signedSettings }),
    close: kept.close,
  };
}
