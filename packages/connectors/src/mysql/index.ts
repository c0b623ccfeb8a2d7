import type { Connector } from '../port.ts';
import { mysqlDialect } from '../sql/dialects.ts';
import { mysqlDryRun } from '../sql/dry-run.ts';
import { executeMysql } from './execute.ts';
import { createMysqlLogins, mysqlReaderScript } from './login.ts';
import { readMysqlMetadata } from './metadata.ts';
import { mysqlRules } from './rules.ts';
import { type MysqlConnection, mysqlSettings } from './settings.ts';
import { testMysqlConnection } from './test-connection.ts';

/**
 * Creates the connector for MySQL 5.7 and later and MariaDB 10.3 and later. Every call has its own connection inside
 * one read-only transaction. The transaction is rolled back, and the connection is dropped.
 */
export function createMysqlConnector(): Connector<MysqlConnection> {
  const logins = createMysqlLogins();
  return {
    engine: 'MySQL',
    label: 'MySQL or MariaDB',
    settings: mysqlSettings,
    dialect: mysqlDialect,
    dryRun: mysqlDryRun(mysqlRules),
    roleScript: mysqlReaderScript,
    testConnection: testMysqlConnection(logins),
    readMetadata: readMysqlMetadata(logins),
    execute: executeMysql(logins),
  };
}
