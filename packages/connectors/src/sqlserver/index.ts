import type { Connector } from '../port.ts';
import { sqlserverDialect } from '../sql/dialects.ts';
import { sqlserverDryRun } from '../sql/dry-run.ts';
import { executeSqlserver } from './execute.ts';
import { sqlserverReaderScript } from './login.ts';
import { readSqlserverMetadata } from './metadata.ts';
import { planPrefix } from './plan.ts';
import { sqlserverRules } from './rules.ts';
import { type SqlserverConnection, sqlserverSettings } from './settings.ts';
import { testSqlserverConnection } from './test-connection.ts';

/**
 * Creates the connector for SQL Server 2012 and later, and servers with its protocol. SQL Server has no read-only
 * transactions: a login that may write is refused unless the settings accept it. Every call is one transaction that
 * is rolled back.
 */
export function createSqlserverConnector(): Connector<SqlserverConnection> {
  return {
    engine: 'SqlServer',
    label: 'SQL Server',
    settings: sqlserverSettings,
    dialect: sqlserverDialect,
    dryRun: sqlserverDryRun(sqlserverRules, planPrefix),
    roleScript: sqlserverReaderScript,
    testConnection: testSqlserverConnection,
    readMetadata: readSqlserverMetadata,
    execute: executeSqlserver,
  };
}
