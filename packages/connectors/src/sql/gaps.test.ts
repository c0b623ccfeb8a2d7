import { describe, expect, it } from 'vitest';
import { bigqueryRules } from '../bigquery/statement/rules.ts';
import { clickhouseRules } from '../clickhouse/rules.ts';
import { databricksRules } from '../databricks/rules.ts';
import { duckdbRules } from '../duckdb/rules.ts';
import { ConnectorError } from '../error.ts';
import { mysqlRules } from '../mysql/rules.ts';
import { checkRead } from '../postgresql/gate/checked-read.ts';
import { snowflakeRules } from '../snowflake/rules.ts';
import { sqliteRules } from '../sqlite/rules.ts';
import { sqlserverRules } from '../sqlserver/rules.ts';
import { boundariesOf, unusualGaps, withGap, withLongGaps } from '../testing/gaps.ts';
import { bigqueryReads, bigqueryRefused } from '../testing/statements/bigquery.ts';
import { clickhouseReads, clickhouseRefused } from '../testing/statements/clickhouse.ts';
import { databricksReads } from '../testing/statements/databricks/reads.ts';
import { databricksRefused } from '../testing/statements/databricks/refused.ts';
import { duckdbReads, duckdbRefused } from '../testing/statements/duckdb.ts';
import { mysqlReads, mysqlRefused } from '../testing/statements/mysql.ts';
import { postgresqlReads, postgresqlRefused } from '../testing/statements/postgresql.ts';
import { snowflakeReads, snowflakeRefused } from '../testing/statements/snowflake.ts';
import { sqliteReads, sqliteRefused } from '../testing/statements/sqlite.ts';
import { sqlserverReads, sqlserverRefused } from '../testing/statements/sqlserver.ts';
import { postgresqlDialect, type SqlDialect } from './dialects.ts';
import { assertOneRead, type ReadOnlyRules } from './read-only-gate.ts';

type Gate = { readonly dialect: SqlDialect; readonly check: (sql: string) => unknown };
const gateOf = (rules: ReadOnlyRules): Gate => ({
  dialect: rules.dialect,
  check: (sql) => assertOneRead(sql, rules),
});

const engines = [
  {
    gate: { dialect: postgresqlDialect, check: checkRead },
    refused: postgresqlRefused,
    reads: postgresqlReads,
  },
  { gate: gateOf(mysqlRules), refused: mysqlRefused, reads: mysqlReads },
  { gate: gateOf(sqliteRules), refused: sqliteRefused, reads: sqliteReads },
  { gate: gateOf(duckdbRules), refused: duckdbRefused, reads: duckdbReads },
  { gate: gateOf(clickhouseRules), refused: clickhouseRefused, reads: clickhouseReads },
  { gate: gateOf(sqlserverRules), refused: sqlserverRefused, reads: sqlserverReads },
  { gate: gateOf(bigqueryRules), refused: bigqueryRefused, reads: bigqueryReads },
  { gate: gateOf(snowflakeRules), refused: snowflakeRefused, reads: snowflakeReads },
  { gate: gateOf(databricksRules), refused: databricksRefused, reads: databricksReads },
].map((engine) => ({ ...engine, name: engine.gate.dialect.name }));

const isRefused = async (sql: string, { check }: Gate): Promise<boolean> => {
  try {
    await check(sql);
    return false;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return true;
  }
};

describe.each(engines)('the statement gate of $name', ({ gate, refused, reads }) => {
  const { dialect } = gate;

  it('refuses every statement with an unusual character between any two of its tokens', async () => {
    const passed: string[] = [];
    let count = 0;
    for (const sql of [...refused, ...reads]) {
      for (const at of boundariesOf(sql, dialect)) {
        for (const gap of unusualGaps) {
          const text = withGap(sql, at, gap);
          // A carriage return before a line feed is a line end.
          if (gap === '\r' && text[at + 1] === '\n') continue;
          count++;
          if (!(await isRefused(text, gate))) passed.push(JSON.stringify(text));
        }
      }
    }
    expect(passed).toEqual([]);
    expect(count).toBeGreaterThan(5_000);
  }, 600_000);

  it('has the same result with 64 kB of blanks or comments between two tokens', async () => {
    const all = [...refused, ...reads];
    const changed: string[] = [];
    for (const [index, sql] of withLongGaps(all, dialect).entries())
      if ((await isRefused(sql, gate)) !== (await isRefused(all[index] ?? '', gate))) changed.push(sql);
    expect(changed.map((sql) => sql.replaceAll(/\s+/g, ' '))).toEqual([]);
  }, 600_000);
});
