import type { Connector } from '../port.ts';
import { bigqueryDialect } from '../sql/dialects.ts';
import { bigqueryDryRun } from '../sql/dry-run.ts';
import { executeBigQuery } from './execute.ts';
import { readBigQueryMetadata } from './metadata.ts';
import { type BigQueryConnection, bigquerySettings } from './settings.ts';
import { planPrefix } from './statement/plan.ts';
import { bigqueryRules } from './statement/rules.ts';
import { testBigQueryConnection } from './test-connection.ts';
import { createTokens } from './tokens.ts';

/**
 * Creates the BigQuery connector, which uses the REST interface. The dry run must report a SELECT. A read-only token
 * then runs the statement.
 */
export function createBigQueryConnector(): Connector<BigQueryConnection> {
  const tokens = createTokens();
  return {
    engine: 'BigQuery',
    label: 'BigQuery',
    settings: bigquerySettings,
    dialect: bigqueryDialect,
    dryRun: bigqueryDryRun(bigqueryRules, planPrefix),
    // A test uses no cached tokens, so that it detects a revoked key.
    testConnection: (connection, options) =>
      testBigQueryConnection({ connection, tokens: createTokens() }, options),
    readMetadata: (connection, options) => readBigQueryMetadata({ connection, tokens }, options),
    execute: (connection, statement, options) => executeBigQuery({ connection, tokens }, statement, options),
  };
}
