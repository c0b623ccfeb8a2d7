import { bigqueryMarker } from '../bigquery/statement/parameters.ts';
import type { BoundValue } from '../bound-value.ts';
import { clickhouseMarker } from '../clickhouse/parameters.ts';
import { databricksMarker } from '../databricks/parameters.ts';
import { restMarker } from '../rest/marker.ts';
import { snowflakeMarker } from '../snowflake/parameters.ts';
import { sqlserverMarker } from '../sqlserver/parameters.ts';

/** Lexical rules of a dialect: they separate quotes and comments from code. */
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
  /** An engine's own parser or authorizer in this service's processes checks the effects of statements. */
  readonly hasParser?: boolean;
  /** Statements are JSON, not SQL. */
  readonly isJson?: boolean;
  readonly areCommentsNested: boolean;
  readonly hasHashComments: boolean;
  /** `//` starts a comment, like `--`. */
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
  /** `r'…'` is a text without escapes. */
  readonly hasRawStringPrefix?: boolean;
  /** A backslash escapes in quoted names too. */
  readonly hasBackslashIdentifiers?: boolean;
  readonly areDoubleQuotesStrings: boolean;
  readonly hasBacktickIdentifiers: boolean;
  readonly hasBracketIdentifiers: boolean;
  /** `]]` within brackets means one bracket. */
  readonly areBracketsDoubled?: boolean;
  /** `@@name` is a function of the engine, not a parameter. */
  readonly hasGlobalVariables?: boolean;
  readonly hasDollarStrings: boolean;
  /** Three quotes start a text over several lines. Within a text, two quotes do not mean one. */
  readonly hasTripleQuotes?: boolean;
  /** Characters that start a parameter marker of the engine. Callers must not write them. */
  readonly markerCharacters: string;
  /** `:` directly after a name or a bracket is a path into a value. Elsewhere it starts a marker. */
  readonly hasColonPaths?: boolean;
  /** Each parameter has one number, which may occur several times. Otherwise each marker has its own value. */
  readonly areMarkersNumbered: boolean;
  /** A marker is `{name:Type}`. */
  readonly areMarkersBraced?: boolean;
  /**
   * An alias refers to its expression in its whole SELECT, including the same list, and a star may be an argument.
   * The text of an item alone therefore does not show its sources.
   */
  readonly haveAliasesExpressions?: boolean;
  /** Returns the marker of the value with this number, from 1. */
  readonly marker: (number: number, value: BoundValue) => string;
  /** Quotes a name as an identifier. Any text is valid. */
  readonly quote: (name: string) => string;
};

const quoteDouble = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const int4Max = 2_147_483_647;

/** Casts numbers to the narrowest type, so that an index on an integer column remains usable. */
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
  const integer = BigInt(value);
  return integer === BigInt.asIntN(64, integer) ? 'int8' : 'numeric';
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

/** DuckDB's values are bound as text, and the cast sets their type. */
function duckdbMarker(number: number, { type, value }: BoundValue): string {
  if (type === 'Number') return `CAST($${number} AS ${duckdbNumberType(value)})`;
  if (type === 'DateTime') return `CAST($${number} AS TIMESTAMPTZ)`;
  if (type === 'Date') return `CAST($${number} AS DATE)`;
  return `$${number}`;
}

function duckdbNumberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  const integerLength = match?.[1]?.length ?? 0;
  const scale = match?.[2]?.length ?? 0;
  if (!match || integerLength + scale > 38) return 'DOUBLE';
  if (scale > 0) return `DECIMAL(${integerLength + scale}, ${scale})`;
  return integerLength <= 18 ? 'BIGINT' : 'HUGEINT';
}

export const duckdbDialect: SqlDialect = {
  ...postgresqlDialect,
  name: 'duckdb',
  markerCharacters: '$?',
  marker: duckdbMarker,
  haveAliasesExpressions: true,
};

/** A backslash escapes double quotes, backticks and backslashes. The gate refuses it within names. */
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

/** The session has `QUOTED_IDENTIFIER ON`. Values are parameters of `sp_executesql`, which declares their types. */
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

/** One pair of backticks may contain a name of several parts. Values are named parameters with a type in the request. */
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

/** Unquoted names are read in capitals. `$$…$$` is a text. The gate refuses any other `$`, and nested comments. */
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
 * Double quotes delimit a text, a backslash escapes in texts, and comments are nested. Values are named parameters
 * with a type in the request. Later items may refer to an alias.
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

/** Steps of a REST API are JSON, not SQL. Texts are in double quotes, and no other quotes exist. */
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
