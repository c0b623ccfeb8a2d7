/** Engines of data sources, in the order of lists. `MySQL` includes MariaDB. */
export const engineNames = [
  'PostgreSQL',
  'MySQL',
  'SQLite',
  'DuckDB',
  'SqlServer',
  'ClickHouse',
  'BigQuery',
  'Snowflake',
  'Databricks',
  'Rest',
] as const;
export type EngineName = (typeof engineNames)[number];
