import { duckdbDialect } from '../sql/dialects.ts';
import type { ReadOnlyRules } from '../sql/read-only-gate.ts';

/** What DuckDB may be asked; that the statement's prepared type is SELECT is checked by the engine's own parser. */
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
    // Files are read by the names of their tables: another reading could give a column another name, and so unmask it.
    'read_*',
    'sniff_csv',
    'parquet_*',
    'sqlite_*',
    // It reads the table that a text names, and no check sees that name.
    'query_table',
    'getenv',
    'which_secret',
    'duckdb_secrets',
    'add_parquet_key',
    'pg_sleep',
    'sleep_ms',
    // They run, plan or complete a text of SQL, which the gate does not check.
    'query',
    'json_execute_serialized_sql',
    'json_serialize_plan',
    'sql_auto_complete',
    'from_substrait*',
  ],
};
