/** Quotes a name as an SQL dialect requires. */
export type Quote = (name: string) => string;

/** Words that cannot be bare names, from the lists of the engines (SQL:2023, PostgreSQL, MySQL, SQLite, DuckDB). */
const reserved = new Set(
  `all alter and any array as asc between both by case cast check collate column constraint create cross
   current_date current_time current_timestamp current_user default delete desc describe distinct do drop else end
   except exists false fetch for foreign from full grant group having in index inner insert intersect into is join
   lateral leading left like limit natural not null offset on only or order outer primary references returning right
   select session_user set some table then to trailing true union unique update user using values when where window
   with`
    .trim()
    .split(/\s+/),
);

/** Additional reserved words of MySQL and MariaDB. */
const reservedByMySql = new Set(
  `accessible add analyze before bigint binary blob call cascade change char character condition continue convert
   cube cume_dist cursor database databases date_format dec decimal declare dense_rank div double dual each empty
   enclosed escaped exit explain first_value float force fulltext function generated get groups grouping high_priority
   if ignore infile int integer interval keys key kill lag last_value lead leave lines load lock long loop low_priority
   match mod modifies numeric of optimize option out over partition percent_rank precision procedure purge range rank
   read real recursive regexp release rename repeat replace require resignal restrict return revoke rlike row
   row_number rows schema schemas separator show signal smallint spatial sql starting straight_join system terminated
   tinyint trigger undo unlock unsigned usage use varchar varying while write xor zerofill`
    .trim()
    .split(/\s+/),
);

/** Returns true if a word cannot be a bare name in SQL. Case-insensitive. */
export const isReserved = (word: string): boolean => reserved.has(word.toLowerCase());

const lowerName = /^[a-z_][a-z0-9_$]*$/;
const anyCaseName = /^[A-Za-z_][A-Za-z0-9_$]*$/;

/** PostgreSQL converts a bare name to lower case, so a name with capitals requires quotes. */
const doubleQuotes: Quote = (name) =>
  lowerName.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;

const keepsCase: Quote = (name) =>
  anyCaseName.test(name) && !reserved.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;

/** MySQL uses double quotes for texts. */
const backticks: Quote = (name) =>
  anyCaseName.test(name) && !reserved.has(name.toLowerCase()) && !reservedByMySql.has(name.toLowerCase())
    ? name
    : `\`${name.replaceAll('`', '``')}\``;

/** Additional words that ClickHouse reads as a clause in the place of a name. */
const reservedByClickhouse = new Set(
  'anti any apply array asof final format global ilike interval interpolate prewhere qualify rollup sample semi settings totals'.split(
    ' ',
  ),
);

/** A backslash also escapes in names of ClickHouse. */
const clickhouseQuotes: Quote = (name) =>
  anyCaseName.test(name) &&
  !name.includes('$') &&
  !reserved.has(name.toLowerCase()) &&
  !reservedByClickhouse.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`;

/** Additional reserved words of T-SQL. */
const reservedByTransactSql = new Set(
  `add authorization backup begin break browse bulk cascade checkpoint close clustered coalesce commit compute contains
   containstable continue convert current cursor database dbcc deallocate declare deny disk distributed double dump
   errlvl escape exec execute exit external file fillfactor freetext freetexttable function goto holdlock identity
   identity_insert identitycol if index key kill lineno load merge national nocheck nonclustered nullif of off offsets
   open opendatasource openquery openrowset openxml option over percent pivot plan precision print proc procedure public
   raiserror read readtext reconfigure replication restore restrict return revert revoke rowcount rowguidcol rule save
   schema securityaudit semantickeyphrasetable semanticsimilaritytable session_user setuser shutdown statistics
   system_user tablesample textsize top tran transaction trigger truncate try_convert tsequal unpivot updatetext use
   varying view waitfor while within writetext`
    .trim()
    .split(/\s+/),
);

/** SQL Server retains the case of names. Its collation determines the case sensitivity. */
const brackets: Quote = (name) =>
  anyCaseName.test(name) &&
  !name.includes('$') &&
  !reserved.has(name.toLowerCase()) &&
  !reservedByTransactSql.has(name.toLowerCase())
    ? name
    : `[${name.replaceAll(']', ']]')}]`;

/** Additional reserved words of BigQuery. */
const reservedByBigQuery = new Set(
  `assert_rows_modified at contains cube define enum escape exclude extract following groups hash if ignore interval
   lookup merge new no nulls of over partition preceding proto qualify range recursive respect rollup rows struct
   tablesample treat unbounded unnest window within`
    .trim()
    .split(/\s+/),
);

/** BigQuery uses double quotes for texts, and a backslash escapes in its names. */
const bigqueryQuotes: Quote = (name) =>
  anyCaseName.test(name) &&
  !name.includes('$') &&
  !reserved.has(name.toLowerCase()) &&
  !reservedByBigQuery.has(name.toLowerCase())
    ? name
    : `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

/** Additional reserved words of Snowflake. */
const reservedBySnowflake = new Set(
  `account connect connection current database following gscluster ilike increment issue localtime localtimestamp minus
   of organization qualify regexp revoke rlike row rows sample schema start tablesample trigger try_cast view whenever`
    .trim()
    .split(/\s+/),
);

const capitalName = /^[A-Z_][A-Z0-9_$]*$/;

/** Snowflake converts a bare name to capitals. */
const capitals: Quote = (name) =>
  capitalName.test(name) && !reserved.has(name.toLowerCase()) && !reservedBySnowflake.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;

/** Additional words that Spark reads as a clause in the place of a name, and reserved words of its ANSI mode. */
const reservedByDatabricks = new Set(
  `anti collation escape fetch filter minus overlaps pivot qualify semi sql start tablesample time
   unpivot within`
    .trim()
    .split(/\s+/),
);

/** Databricks uses double quotes for texts. Its names are case-insensitive. */
const databricksQuotes: Quote = (name) =>
  anyCaseName.test(name) &&
  !name.includes('$') &&
  !reserved.has(name.toLowerCase()) &&
  !reservedByDatabricks.has(name.toLowerCase())
    ? name
    : `\`${name.replaceAll('`', '``')}\``;

const byEngine: Readonly<Record<string, Quote>> = {
  MySQL: backticks,
  SQLite: keepsCase,
  DuckDB: keepsCase,
  ClickHouse: clickhouseQuotes,
  SqlServer: brackets,
  BigQuery: bigqueryQuotes,
  Snowflake: capitals,
  Databricks: databricksQuotes,
};

/** Returns the quoting function of an engine. Default: PostgreSQL's. */
export const quoteFor = (engine: string): Quote => byEngine[engine] ?? doubleQuotes;
