import { autocompletion, type CompletionSource } from '@codemirror/autocomplete';
import {
  keywordCompletionSource,
  MariaSQL,
  MSSQL,
  PostgreSQL,
  type SQLDialect,
  SQLite,
  sql,
} from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import { completeStep, jsonStepDialect } from './completion/json-step.ts';
import { completeNames, isNaming, type SqlNames } from './completion/sql-completion.ts';
import { bigqueryDialect } from './dialects/bigquery-dialect.ts';
import { clickhouseDialect } from './dialects/clickhouse-dialect.ts';
import { databricksDialect } from './dialects/databricks-dialect.ts';
import { snowflakeDialect } from './dialects/snowflake-dialect.ts';

const dialects: Readonly<Record<string, SQLDialect>> = {
  MySQL: MariaSQL,
  SQLite,
  SqlServer: MSSQL,
  ClickHouse: clickhouseDialect,
  BigQuery: bigqueryDialect,
  Snowflake: snowflakeDialect,
  Databricks: databricksDialect,
  Rest: jsonStepDialect,
};

/** Suppresses keywords after the dot of a name and after `as`. */
const keywordsOutsideNames =
  (source: CompletionSource): CompletionSource =>
  (context) =>
    context.matchBefore(/\.\s*\w*/) || isNaming(context) ? null : source(context);

/** Returns the language of an engine with the completion of keywords and names. */
export const languageOf = (engine: string, names: SqlNames): Extension => {
  const dialect = dialects[engine] ?? PostgreSQL;
  const language = sql({ dialect });
  return [
    language.language,
    autocompletion({
      override:
        engine === 'Rest'
          ? [completeStep(names)]
          : [completeNames(names, engine), keywordsOutsideNames(keywordCompletionSource(dialect, false))],
      activateOnTyping: true,
      defaultKeymap: false,
      // Without a delay, a quick key press has the same effect as a slow one.
      interactionDelay: 0,
      // Number of options that fit without scrolling. Arrow keys reach the others.
      maxRenderedOptions: 10,
      icons: false,
    }),
  ];
};
