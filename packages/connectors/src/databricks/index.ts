import { createLoginCache } from '../http/login-cache.ts';
import type { Connector } from '../port.ts';
import { databricksDialect } from '../sql/dialects.ts';
import { databricksDryRun } from '../sql/dry-run.ts';
import { type Account, executeDatabricks } from './execute.ts';
import { databricksReaderScript } from './login.ts';
import { readDatabricksMetadata } from './metadata.ts';
import { planPrefix } from './plan.ts';
import { databricksRules } from './rules.ts';
import { type DatabricksConnection, databricksSettings } from './settings.ts';
import { testDatabricksConnection } from './test-connection.ts';
import { createTokens } from './tokens.ts';

/**
 * Creates the connector for SQL warehouses of Databricks, which uses the Statement Execution API. Databricks has no
 * read-only sessions: a login that may write is refused unless the settings accept it. The service must first compile
 * each statement as a subquery before the statement runs.
 */
export function createDatabricksConnector(): Connector<DatabricksConnection> {
  const account: Account = { tokens: createTokens(), logins: createLoginCache(databricksDialect) };
  return {
    engine: 'Databricks',
    label: 'Databricks',
    settings: databricksSettings,
    dialect: databricksDialect,
    dryRun: databricksDryRun(databricksRules, planPrefix),
    roleScript: databricksReaderScript,
    testConnection: testDatabricksConnection(account),
    readMetadata: readDatabricksMetadata(account),
    execute: executeDatabricks(account),
  };
}
