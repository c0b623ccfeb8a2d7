import type { Connector } from '../port.ts';
import { clickhouseDialect } from '../sql/dialects.ts';
import { clickhouseDryRun } from '../sql/dry-run.ts';
import { executeClickhouse } from './execute.ts';
import { readClickhouseMetadata } from './metadata.ts';
import { clickhouseRules } from './rules.ts';
import { type ClickhouseConnection, clickhouseSettings } from './settings.ts';
import { clickhouseReaderScript, testClickhouseConnection } from './test-connection.ts';

/**
 * ClickHouse 22.8 and later, by its HTTP interface. Every call has a connection of its own, which first asks what the
 * user's settings are: with `readonly = 1` in each request the server refuses whatever writes.
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
