import { duckdbDialect } from '../sql/dialects.ts';
import type { ReadOnlyRules } from '../sql/read-only-gate.ts';

/** Read-only rules of DuckDB. In addition, the engine's own parser checks that the prepared statement is a SELECT. */
export const duckdbRules: ReadOnlyRules = {
  dialect: duckdbDialect,
  firstWords: new Set([
    'select',
    'with',
    'from',
    'values',
    'table',
    'describe',
    'desc',
    'show',
    'summarize',
    'pivot',
    'unpivot',
    'explain',
  ]),
  refusedFunctions: [
    'write_log',
    'enable_logging',
    'disable_logging',
    'enable_profiling',
    'disable_profiling',
    'truncate_duckdb_logs',
    'nextval',
    'force_checkpoint',
    'checkpoint',
    'glob',
    // Statements read files by table name: a reader function could give a column another name and so unmask it.
    'read_*',
    'sniff_csv',
    'parquet_*',
    'sqlite_*',
    // Reads the table that a string names. No check can see that name.
    'query_table',
    'getenv',
    'which_secret',
    'duckdb_secrets',
    'add_parquet_key',
    'pg_sleep',
    'sleep_ms',
    // Functions that run, plan or complete an SQL string. The gate does not check the string.
    'query',
    'json_execute_serialized_sql',
    'json_serialize_plan',
    'sql_auto_complete',
    'from_substrait*',
  ],
};
