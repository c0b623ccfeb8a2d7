import { createLoginCache } from '../http/login-cache.ts';
import type { Connector } from '../port.ts';
import { snowflakeDialect } from '../sql/dialects.ts';
import { snowflakeDryRun } from '../sql/dry-run.ts';
import { executeSnowflake, type SnowflakeLoginCache } from './execute.ts';
import { snowflakeReaderScript } from './login.ts';
import { readSnowflakeMetadata } from './metadata.ts';
import { planPrefix } from './plan.ts';
import { snowflakeRules } from './rules.ts';
import { type SnowflakeConnection, snowflakeSettings } from './settings.ts';
import { testSnowflakeConnection } from './test-connection.ts';

/**
 * Creates the connector for Snowflake, which uses its SQL API. Snowflake has no read-only sessions: a role that may
 * write is refused unless the settings accept it. The service must first compile each statement as a subquery before
 * the statement runs.
 */
export function createSnowflakeConnector(): Connector<SnowflakeConnection> {
  const logins: SnowflakeLoginCache = createLoginCache(snowflakeDialect);
  return {
    engine: 'Snowflake',
    label: 'Snowflake',
    settings: snowflakeSettings,
    dialect: snowflakeDialect,
    dryRun: snowflakeDryRun(snowflakeRules, planPrefix),
    roleScript: snowflakeReaderScript,
    testConnection: testSnowflakeConnection(logins),
    readMetadata: readSnowflakeMetadata(logins),
    execute: executeSnowflake(logins),
  };
}
