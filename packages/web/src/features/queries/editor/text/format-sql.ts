import { format, type SqlLanguage } from 'sql-formatter';
import { formatStep } from './format-step.ts';

const languages: Readonly<Record<string, SqlLanguage>> = {
  PostgreSQL: 'postgresql',
  MySQL: 'mysql',
  SQLite: 'sqlite',
  DuckDB: 'duckdb',
  ClickHouse: 'clickhouse',
  SqlServer: 'transactsql',
  BigQuery: 'bigquery',
  Snowflake: 'snowflake',
  Databricks: 'spark',
};

/** Formats a statement. Throws for a text that is not SQL, or not JSON for a REST API. */
export const formatSql = (text: string, engine: string): string =>
  engine === 'Rest' ? formatStep(text) : formatStatement(text, engine);

const formatStatement = (text: string, engine: string): string =>
  format(text, {
    language: languages[engine] ?? 'sql',
    keywordCase: 'preserve',
    tabWidth: 2,
    paramTypes: { custom: [{ regex: String.raw`\{\{\s*\w+\s*\}\}` }] },
  });
