import { describe, expect, it } from 'vitest';
import { bigqueryRules } from '../bigquery/rules.ts';
import { clickhouseRules } from '../clickhouse/rules.ts';
import { databricksRules } from '../databricks/rules.ts';
import { duckdbRules } from '../duckdb/rules.ts';
import { ConnectorError } from '../error.ts';
import { mysqlRules } from '../mysql/rules.ts';
import { postgresqlRules } from '../postgresql/rules.ts';
import { snowflakeRules } from '../snowflake/rules.ts';
import { sqliteRules } from '../sqlite/rules.ts';
import { sqlserverRules } from '../sqlserver/rules.ts';
import { boundariesOf, unusualGaps, withGap, withLongGaps } from '../testing/gaps.ts';
import { bigqueryReads, bigqueryRefused } from '../testing/statements/bigquery.ts';
import { clickhouseReads, clickhouseRefused } from '../testing/statements/clickhouse.ts';
import { databricksReads, databricksRefused } from '../testing/statements/databricks.ts';
import { duckdbReads, duckdbRefused } from '../testing/statements/duckdb.ts';
import { mysqlReads, mysqlRefused } from '../testing/statements/mysql.ts';
import { postgresqlReads, postgresqlRefused } from '../testing/statements/postgresql.ts';
import { snowflakeReads, snowflakeRefused } from '../testing/statements/snowflake.ts';
import { sqliteReads, sqliteRefused } from '../testing/statements/sqlite.ts';
import { sqlserverReads, sqlserverRefused } from '../testing/statements/sqlserver.ts';
import { assertOneRead, type ReadOnlyRules } from './read-only-gate.ts';

const engines = [
  { rules: postgresqlRules, refused: postgresqlRefused, reads: postgresqlReads },
  { rules: mysqlRules, refused: mysqlRefused, reads: mysqlReads },
  { rules: sqliteRules, refused: sqliteRefused, reads: sqliteReads },
  { rules: duckdbRules, refused: duckdbRefused, reads: duckdbReads },
  { rules: clickhouseRules, refused: clickhouseRefused, reads: clickhouseReads },
  { rules: sqlserverRules, refused: sqlserverRefused, reads: sqlserverReads },
  { rules: bigqueryRules, refused: bigqueryRefused, reads: bigqueryReads },
  { rules: snowflakeRules, refused: snowflakeRefused, reads: snowflakeReads },
  { rules: databricksRules, refused: databricksRefused, reads: databricksReads },
].map((engine) => ({ ...engine, name: engine.rules.dialect.name }));

const isRefused = (sql: string, rules: ReadOnlyRules): boolean => {
  try {
    assertOneRead(sql, rules);
    return false;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return true;
  }
};

describe.each(engines)('the gate of $name', ({ rules, refused, reads }) => {
  const { dialect } = rules;

  it('refuses every statement with an unusual character at any place between its tokens', () => {
    const passed: string[] = [];
    let count = 0;
    for (const sql of [...refused, ...reads]) {
      for (const at of boundariesOf(sql, dialect)) {
        for (const gap of unusualGaps) {
          const text = withGap(sql, at, gap);
          // A carriage return before a line feed is a line end.
          if (gap === '\r' && text[at + 1] === '\n') continue;
          count++;
          if (!isRefused(text, rules)) passed.push(JSON.stringify(text));
        }
      }
    }
    expect(passed).toEqual([]);
    expect(count).toBeGreaterThan(5_000);
  }, 600_000);

  it('decides the same with 64 kB of blanks or comment between two tokens', () => {
    const all = [...refused, ...reads];
    const changed = withLongGaps(all, dialect).filter(
      (sql, index) => isRefused(sql, rules) !== isRefused(all[index] ?? '', rules),
    );
    expect(changed.map((sql) => sql.replaceAll(/\s+/g, ' '))).toEqual([]);
  }, 600_000);
});
