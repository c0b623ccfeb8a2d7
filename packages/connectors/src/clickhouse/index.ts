import type { Connector } from '../port.ts';
import { clickhouseDialect } from '../sql/dialects.ts';
import { clickhouseDryRun } from '../sql/dry-run.ts';
import { executeClickhouse } from './execute.ts';
import { readClickhouseMetadata } from './metadata.ts';
import { clickhouseRules } from './rules.ts';
import { type ClickhouseConnection, clickhouseSettings } from './settings.ts';
import { clickhouseReaderScript, testClickhouseConnection } from './test-connection.ts';

/**
 * Creates the connector for ClickHouse 22.8 and later, which uses the HTTP interface. Every call has its own
 * connection and first queries the user's settings. With `readonly = 1` in each request the server refuses every
 * write.
 */
export function createClickhouseConnector(): Connector<ClickhouseConnection> {
  return {
    engine: 'ClickHouse',
    label: 'ClickHouse',
    settings: clickhouseSettings,
    dialect: clickhouseDialect,
    dryRun: clickhouseDryRun(clickhouseRules),
    roleScript: clickhouseReaderScript,
    testConnection: testClickhouseConnection,
    readMetadata: readClickhouseMetadata,
    execute: executeClickhouse,
  };
}
