import { bigqueryMarker } from '../bigquery/parameters.ts';
import type { BoundValue } from '../bound-value.ts';
import { clickhouseMarker } from '../clickhouse/parameters.ts';
import { databricksMarker } from '../databricks/parameters.ts';
import { restMarker } from '../rest/marker.ts';
import { snowflakeMarker } from '../snowflake/parameters.ts';
import { sqlserverMarker } from '../sqlserver/parameters.ts';

/** What a reader of SQL text must know of a dialect, so that quotes and comments are told from code. */
export type SqlDialect = {
  readonly name:
    | 'postgresql'
    | 'mysql'
    | 'sqlite'
    | 'duckdb'
    | 'clickhouse'
    | 'rest'
    | 'snowflake'
    | 'sqlserver'
    | 'bigquery'
    | 'databricks';
  /** The engine's own parser or authorizer decides in this service's processes what a statement does. */
  readonly hasParser?: boolean;
  /** Statements are JSON: no SQL can be written for the engine. */
  readonly isJson?: boolean;
  readonly areCommentsNested: boolean;
  readonly hasHashComments: boolean;
  /** `//` starts a comment as `--` does. */
  readonly hasSlashComments?: boolean;
  /** `--` starts a comment only before white space. */
  readonly dashCommentNeedsSpace: boolean;
  /** A carriage return ends a line comment. Every engine ends it at a line feed. */
  readonly endsLinesAtCarriageReturn?: boolean;
  /** A backslash before a line feed continues a line comment. */
  readonly joinsLinesAtBackslash?: boolean;
  /** A backslash escapes in every string, not only in `E''`. */
  readonly hasBackslashStrings: boolean;
  readonly hasEscapeStringPrefix: boolean;
  /** `r'…'` is a text in which nothing escapes. */
  readonly hasRawStringPrefix?: boolean;
  /** A backslash escapes in quoted names too. */
  readonly hasBackslashIdentifiers?: boolean;
  readonly areDoubleQuotesStrings: boolean;
  readonly hasBacktickIdentifiers: boolean;
  readonly hasBracketIdentifiers: boolean;
  /** `]]` within brackets stands for one of them. */
  readonly areBracketsDoubled?: boolean;
  /** `@@name` is a function of the engine, no parameter. */
  readonly hasGlobalVariables?: boolean;
  readonly hasDollarStrings: boolean;
  /** Three quotes open a text over several lines; within a text two quotes stand for none. */
  readonly hasTripleQuotes?: boolean;
  /** Characters that start a parameter marker of the engine's own, which callers may not write. */
  readonly markerCharacters: string;
  /** `:` right behind a name or a bracket leads into a value; elsewhere it starts a marker. */
  readonly hasColonPaths?: boolean;
  /** One number a parameter, used at each of its places; otherwise one value a place. */
  readonly areMarkersNumbered: boolean;
  /** A marker is `{name:Type}`. */
  readonly areMarkersBraced?: boolean;
  /**
   * An alias stands for its expression everywhere in its SELECT, its own list too, and a star may be an argument: what
   * an item holds does not show in its text alone.
   */
  readonly haveAliasesExpressions?: boolean;
  /** The text of the marker for the value with this number, from 1. */
  readonly marker: (number: number, value: BoundValue) => string;
  /** A name as an identifier, whatever it holds. */
  readonly quote: (name: string) => string;
};

const quoteDouble = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const int4Max = 2_147_483_647;

/** Numbers are cast to the narrowest type, so that an index on an integer column can still be used. */
function postgresqlMarker(number: number, { type, value }: BoundValue): string {
  if (type === 'Number') return `$${number}::${numberType(value)}`;
  if (type === 'DateTime') return `$${number}::timestamptz`;
  if (type === 'Date') return `$${number}::date`;
  if (type === 'Boolean') return `$${number}::boolean`;
  return `$${number}`;
}

function numberType(value: string | null): string {
  if (value === null || !/^-?\d{1,19}$/.test(value)) return 'numeric';
  if (Math.abs(Number(value)) <= int4Max) return 'int4';
  const whole = BigInt(value);
  return whole === BigInt.asIntN(64, whole) ? 'int8' : 'numeric';
}

export const postgresqlDialect: SqlDialect = {
  name: 'postgresql',
  hasParser: true,
  areCommentsNested: true,
  hasHashComments: false,
  dashCommentNeedsSpace: false,
  endsLinesAtCarriageReturn: true,
  hasBackslashStrings: false,
  hasEscapeStringPrefix: true,
  areDoubleQuotesStrings: false,
  hasBacktickIdentifiers: false,
  hasBracketIdentifiers: false,
  hasDollarStrings: true,
  markerCharacters: '$',
  areMarkersNumbered: true,
  marker: postgresqlMarker,
  quote: quoteDouble,
};

export const mysqlDialect: SqlDialect = {
  name: 'mysql',
  areCommentsNested: false,
  hasHashComments: true,
  dashCommentNeedsSpace: true,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  areDoubleQuotesStrings: true,
  hasBacktickIdentifiers: true,
  hasBracketIdentifiers: false,
  hasDollarStrings: false,
  markerCharacters: '?',
  areMarkersNumbered: false,
  marker: () => '?',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
};

export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  hasParser: true,
  areCommentsNested: false,
  hasHashComments: false,
  dashCommentNeedsSpace: false,
  hasBackslashStrings: false,
  hasEscapeStringPrefix: false,
  areDoubleQuotesStrings: false,
  hasBacktickIdentifiers: true,
  hasBracketIdentifiers: true,
  hasDollarStrings: false,
  markerCharacters: '?:@$#',
  areMarkersNumbered: true,
  marker: (number) => `?${number}`,
  quote: quoteDouble,
};

/** Values of DuckDB are bound as text: the cast is what types them. */
function duckdbMarker(number: number, { type, value }: BoundValue): string {
  if (type === 'Number') return `CAST($${number} AS ${duckdbNumberType(value)})`;
  if (type === 'DateTime') return `CAST($${number} AS TIMESTAMPTZ)`;
  if (type === 'Date') return `CAST($${number} AS DATE)`;
  return `$${number}`;
}

function duckdbNumberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  const whole = match?.[1]?.length ?? 0;
  const scale = match?.[2]?.length ?? 0;
  if (!match || whole + scale > 38) return 'DOUBLE';
  if (scale > 0) return `DECIMAL(${whole + scale}, ${scale})`;
  return whole <= 18 ? 'BIGINT' : 'HUGEINT';
}

export const duckdbDialect: SqlDialect = {
  ...postgresqlDialect,
  name: 'duckdb',
  markerCharacters: '$?',
  marker: duckdbMarker,
  haveAliasesExpressions: true,
};

/** Double quotes, backticks and backslashes are escaped by a backslash, which the gate refuses within names. */
export const clickhouseDialect: SqlDialect = {
  name: 'clickhouse',
  areCommentsNested: true,
  hasHashComments: true,
  hasSlashComments: true,
  dashCommentNeedsSpace: false,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  hasBackslashIdentifiers: true,
  areDoubleQuotesStrings: false,
  hasBacktickIdentifiers: true,
  hasBracketIdentifiers: false,
  hasDollarStrings: false,
  markerCharacters: '',
  areMarkersNumbered: true,
  areMarkersBraced: true,
  haveAliasesExpressions: true,
  marker: clickhouseMarker,
  quote: (name) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`,
};

/** The session has `QUOTED_IDENTIFIER ON`; values are parameters of `sp_executesql`, which declares their types. */
export const sqlserverDialect: SqlDialect = {
  name: 'sqlserver',
  areCommentsNested: true,
  hasHashComments: false,
  dashCommentNeedsSpace: false,
  hasBackslashStrings: false,
  hasEscapeStringPrefix: false,
  areDoubleQuotesStrings: false,
  hasBacktickIdentifiers: false,
  hasBracketIdentifiers: true,
  areBracketsDoubled: true,
  hasGlobalVariables: true,
  hasDollarStrings: false,
  markerCharacters: '@',
  areMarkersNumbered: true,
  marker: sqlserverMarker,
  quote: (name) => `[${name.replaceAll(']', ']]')}]`,
};

/** Names of several parts may stand in one pair of backticks. Values are named parameters, which the request types. */
export const bigqueryDialect: SqlDialect = {
  name: 'bigquery',
  areCommentsNested: false,
  hasHashComments: true,
  dashCommentNeedsSpace: false,
  endsLinesAtCarriageReturn: true,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  hasBackslashIdentifiers: true,
  areDoubleQuotesStrings: true,
  hasBacktickIdentifiers: true,
  hasBracketIdentifiers: false,
  hasGlobalVariables: true,
  hasDollarStrings: false,
  hasTripleQuotes: true,
  markerCharacters: '@?',
  areMarkersNumbered: true,
  marker: bigqueryMarker,
  quote: (name) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``,
};

/**
 * Names without quotes are read in capitals. `$$…$$` holds a text; what else `$` stands before, and comments within
 * comments, the gate refuses.
 */
export const snowflakeDialect: SqlDialect = {
  name: 'snowflake',
  areCommentsNested: false,
  hasHashComments: false,
  hasSlashComments: true,
  dashCommentNeedsSpace: false,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  areDoubleQuotesStrings: false,
  hasBacktickIdentifiers: false,
  hasBracketIdentifiers: false,
  hasDollarStrings: true,
  markerCharacters: '?',
  areMarkersNumbered: false,
  haveAliasesExpressions: true,
  marker: snowflakeMarker,
  quote: quoteDouble,
};

/**
 * Double quotes hold a text, a backslash escapes in texts, and comments hold comments. Values are named parameters,
 * which the request types. An alias may stand in the items behind it.
 */
export const databricksDialect: SqlDialect = {
  name: 'databricks',
  areCommentsNested: true,
  hasHashComments: false,
  dashCommentNeedsSpace: false,
  endsLinesAtCarriageReturn: true,
  joinsLinesAtBackslash: true,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  hasRawStringPrefix: true,
  areDoubleQuotesStrings: true,
  hasBacktickIdentifiers: true,
  hasBracketIdentifiers: false,
  hasDollarStrings: false,
  markerCharacters: ':?',
  hasColonPaths: true,
  areMarkersNumbered: true,
  haveAliasesExpressions: true,
  marker: databricksMarker,
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
};

/** Steps of a REST API are JSON and no SQL: texts stand in double quotes, and nothing else is quoted. */
export const restDialect: SqlDialect = {
  name: 'rest',
  isJson: true,
  areCommentsNested: false,
  hasHashComments: false,
  dashCommentNeedsSpace: false,
  hasBackslashStrings: true,
  hasEscapeStringPrefix: false,
  areDoubleQuotesStrings: true,
  hasBacktickIdentifiers: false,
  hasBracketIdentifiers: false,
  hasDollarStrings: false,
  markerCharacters: '',
  areMarkersNumbered: true,
  marker: restMarker,
  quote: (name) => JSON.stringify(name),
};
