import type { Connector } from '../port.ts';
import { bigqueryDialect } from '../sql/dialects.ts';
import { bigqueryDryRun } from '../sql/dry-run.ts';
import { executeBigQuery } from './execute.ts';
import { readBigQueryMetadata } from './metadata.ts';
import { planPrefix } from './plan.ts';
import { bigqueryRules } from './rules.ts';
import { type BigQueryConnection, bigquerySettings } from './settings.ts';
import { testBigQueryConnection } from './test-connection.ts';
import { createTokens } from './tokens.ts';

/**
 * BigQuery by its REST interface. A dry run must say that a statement is a SELECT; a token that may only read runs it.
 */
export function createBigQueryConnector(): Connector<BigQueryConnection> {
  const tokens = createTokens();
  return {
    engine: 'BigQuery',
    label: 'BigQuery',
    settings: bigquerySettings,
    dialect: bigqueryDialect,
    dryRun: bigqueryDryRun(bigqueryRules, planPrefix),
    // A test signs in anew, so that a key that was taken back is found out.
    testConnection: (connection, options) =>
      testBigQueryConnection({ connection, tokens: createTokens() }, options),
    readMetadata: (connection, options) => readBigQueryMetadata({ connection, tokens }, options),
    execute: (connection, statement, options) => executeBigQuery({ connection, tokens }, statement, options),
  };
}
