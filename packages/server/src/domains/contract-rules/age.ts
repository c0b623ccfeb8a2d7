import { columnOf, type Target, typeOf } from './conditions.ts';
import type { RuleDefinition } from './rule.ts';

const toleranceMinutes = 5;
/** A local day may begin up to 14 hours before the same day in UTC. */
const toleranceMinutesOfDays = 1_440;

/** SQL expressions of a Freshness rule. Each is computed for one row. */
export type AgeOfRow = {
  /** Whole seconds since the time of the row. NULL if the row has no valid time. */
  readonly seconds: string;
  /** True for a valid time that is at most the tolerance in the future. */
  readonly isJudged: string;
  /** True for a value that is not a valid time, or that is too far in the future. */
  readonly isUnjudged: string;
};

/**
 * Returns the SQL for the age of a row by the clock of the database. Times without an offset are UTC. Ages are whole
 * seconds: a fraction would have as many digits as personal numbers, which are masked.
 */
export function ageOfRow(rule: RuleDefinition, target: Target): AgeOfRow {
  const name = rule.columns[0] ?? '';
  const column = columnOf(target, name);
  const type = typeOf(target, name);
  const isDay = /^(nullable\()?date(32)?\b/i.test(type);
  const minutes = rule.config.futureToleranceMinutes ?? (isDay ? toleranceMinutesOfDays : toleranceMinutes);
  const seconds = secondsSince(target, column, type);
  const earliest = -60 * minutes;
  return {
    seconds,
    isJudged: `${seconds} >= ${earliest}`,
    isUnjudged: `${column} is not null and (${seconds} is null or ${seconds} < ${earliest})`,
  };
}

function secondsSince({ dialect }: Target, column: string, type: string): string {
  switch (dialect.name) {
    case 'postgresql':
      return `case when isfinite(${column}) then floor(date_part('epoch', ${
        /with time zone|timestamptz/i.test(type)
          ? `now() - ${column}`
          : `(now() at time zone 'UTC') - cast(${column} as timestamp)`
      })) end`;
    case 'mysql':
      // NULL for zero dates. TIMESTAMP columns are read in the zone of the session, others in UTC.
      return /^timestamp/i.test(type)
        ? `timestampdiff(second, ${column}, now())`
        : `timestampdiff(second, ${column}, utc_timestamp())`;
    case 'sqlite':
      // The pattern excludes texts that julianday accepts although they are no dates: `now`, and times of day (year 2000).
      return `case typeof(${column})
        when 'text' then case when ${column} like '____-__-__%' then cast((julianday('now') - julianday(${column})) * 86400 as integer) end
        when 'blob' then null
        else cast(strftime('%s', 'now') - ${column} as integer) end`;
    case 'duckdb':
      return `case when isfinite(${column}) then cast(epoch(now()) - epoch(${column}) as bigint) end`;
    case 'clickhouse':
      return `dateDiff('second', ${column}, now())`;
    case 'sqlserver':
      // A value with an offset is compared by its instant.
      return `datediff_big(second, ${column}, sysutcdatetime())`;
    case 'bigquery':
      // Days and times without an offset are converted to instants in UTC.
      return `timestamp_diff(current_timestamp(), cast(${column} as timestamp), second)`;
    case 'snowflake':
      // The session is in UTC, so a time without a zone is an instant in UTC.
      return `datediff(second, cast(${column} as timestamp_ltz), current_timestamp())`;
    case 'databricks':
      // The session is in UTC, so days and times without a zone are instants in UTC.
      return `timestampdiff(second, cast(${column} as timestamp), current_timestamp())`;
    case 'rest':
      throw new TypeError('A REST API takes no SQL.');
  }
}
