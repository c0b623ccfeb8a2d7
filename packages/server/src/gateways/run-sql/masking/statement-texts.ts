import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';

/** Columns by relation, in lower case. */
type Texts = Readonly<Record<string, readonly string[]>>;

const statements = ['sql_text', 'digest_text', 'query_sample_text'];

/**
 * Relations of the engines' catalogues that contain statements of other sessions with their literals, and their text
 * columns. Only these columns are personal; a count of sessions is not.
 */
const catalogues: Readonly<Record<SqlDialect['name'], Texts>> = {
  postgresql: {
    pg_stat_activity: ['query'],
    pg_stat_get_activity: ['query'],
    pg_stat_statements: ['query'],
    pg_prepared_statements: ['statement'],
    pg_cursors: ['statement'],
  },
  mysql: {
    processlist: ['info', 'info_binary', 'current_statement', 'last_statement'],
    x$processlist: ['current_statement', 'last_statement'],
    session: ['current_statement', 'last_statement'],
    x$session: ['current_statement', 'last_statement'],
    threads: ['processlist_info'],
    events_statements_current: statements,
    events_statements_history: statements,
    events_statements_history_long: statements,
    events_statements_summary_by_digest: statements,
    prepared_statements_instances: statements,
    statement_analysis: ['query'],
    x$statement_analysis: ['query'],
    innodb_trx: ['trx_query'],
    innodb_lock_waits: ['waiting_query', 'blocking_query'],
    x$innodb_lock_waits: ['waiting_query', 'blocking_query'],
    slow_log: ['sql_text'],
    general_log: ['argument'],
    user: ['authentication_string', 'password'],
    global_priv: ['priv'],
  },
  clickhouse: {
    processes: ['query', 'formatted_query'],
    query_log: ['query', 'formatted_query'],
    query_thread_log: ['query'],
    query_views_log: ['view_query'],
  },
  sqlserver: {
    dm_exec_sql_text: ['text'],
    dm_exec_input_buffer: ['event_info'],
    query_store_query_text: ['query_sql_text'],
    syscacheobjects: ['sql'],
  },
  bigquery: {
    jobs: ['query'],
    jobs_by_user: ['query'],
    jobs_by_project: ['query'],
    jobs_by_folder: ['query'],
    jobs_by_organization: ['query'],
  },
  snowflake: {
    query_history: ['query_text'],
    query_history_by_session: ['query_text'],
    query_history_by_user: ['query_text'],
    query_history_by_warehouse: ['query_text'],
  },
  databricks: { history: ['statement_text'] },
  sqlite: {},
  duckdb: {},
  rest: {},
};

/** Returns the columns of the statement's relations that contain statements of other users. */
export function statementTextColumns(sql: string, dialect: SqlDialect): ReadonlySet<string> {
  const texts = catalogues[dialect.name];
  const columns = new Set<string>();
  if (Object.keys(texts).length === 0) return columns;
  for (const token of readSqlTokens(sql, dialect)) {
    if (token.kind !== 'word' && token.kind !== 'identifier') continue;
    // One quoted name may contain a whole path.
    const name = tokenText(sql, token).toLowerCase().split('.').at(-1) ?? '';
    if (!Object.hasOwn(texts, name)) continue;
    for (const column of texts[name] ?? []) columns.add(column);
  }
  return columns;
}
