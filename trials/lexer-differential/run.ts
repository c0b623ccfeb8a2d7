import {
  compareReadings,
  type EngineReader,
} from '../../packages/connectors/src/testing/differential/compare.ts';
import {
  duckdbReader,
  postgresqlReader,
  sqliteReader,
} from '../../packages/connectors/src/testing/differential/engines.ts';
import {
  clickhouseReader,
  mariadbReader,
} from '../../packages/connectors/src/testing/differential/servers.ts';

type Opened = EngineReader & { readonly close?: () => unknown };

const openers: Readonly<Record<string, () => Opened | Promise<Opened>>> = {
  PostgreSQL: () => postgresqlReader,
  DuckDB: duckdbReader,
  SQLite: sqliteReader,
  MariaDB: mariadbReader,
  ClickHouse: clickhouseReader,
};

/**
 * `node --conditions=svc-source trials/lexer-differential/run.ts [engine] [cases] [seed]`: compares how this service and
 * the engine read random texts with comments, quotes and control characters. Engines: PostgreSQL, DuckDB, SQLite,
 * MariaDB and ClickHouse, which have to be installed.
 */
const [engine = 'PostgreSQL', cases = '1000000', seed = '1'] = process.argv.slice(2);
const open = openers[engine];
if (!open) throw new Error(`Unknown engine: ${engine}. Use one of ${Object.keys(openers).join(', ')}.`);
const reader = await open();
const began = performance.now();
const report = await compareReadings(reader, Number(cases), Number(seed));
console.log(
  JSON.stringify({ engine, seconds: Math.round((performance.now() - began) / 1_000), ...report }, null, 2),
);
await reader.close?.();
process.exitCode = report.differences.length === 0 && report.compared > 0 ? 0 : 1;
