import { compareReadings } from '../../packages/connectors/src/testing/differential/compare.ts';
import {
  duckdbReader,
  postgresqlReader,
  sqliteReader,
} from '../../packages/connectors/src/testing/differential/engines.ts';

/**
 * `node --conditions=svc-source trials/lexer-differential/run.ts [PostgreSQL|DuckDB|SQLite] [cases] [seed]`: compares
 * how this service and the engine read random texts with comments, quotes and control characters. The bounded version
 * in the tests also compares MariaDB and ClickHouse, which need servers.
 */
const [engine = 'PostgreSQL', cases = '1000000', seed = '1'] = process.argv.slice(2);
const duckdb = engine === 'DuckDB' ? await duckdbReader() : undefined;
const reader = duckdb ?? (engine === 'SQLite' ? sqliteReader() : postgresqlReader);
const began = performance.now();
const report = await compareReadings(reader, Number(cases), Number(seed));
console.log(
  JSON.stringify({ engine, seconds: Math.round((performance.now() - began) / 1_000), ...report }, null, 2),
);
duckdb?.close();
process.exitCode = report.differences.length === 0 && report.compared > 0 ? 0 : 1;
