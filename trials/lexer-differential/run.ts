import { compareReadings } from '../../packages/connectors/src/testing/differential/compare.ts';
import {
  duckdbReader,
  postgresqlReader,
  sqliteReader,
} from '../../packages/connectors/src/testing/differential/engines.ts';

/**
 * `node --conditions=svc-source trials/lexer-differential/run.ts [PostgreSQL|DuckDB|SQLite] [cases] [seed]`: random
 * texts with comments, quotes and control characters, read by this service and by the engine. MariaDB and ClickHouse,
 * which need servers, are compared in the bounded version of the tests.
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
