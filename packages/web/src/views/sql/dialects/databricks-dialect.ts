import { SQLDialect } from '@codemirror/lang-sql';

/** Normalizes spaces: the library expects one space between two words. */
const words = (text: string): string => text.trim().split(/\s+/).join(' ');

const keywords = words(`
  all and anti any as asc at between both by case cast cluster collate cross cube current current_date current_timestamp
  current_user desc distinct distribute div else end escape except exclude exists extract false fetch filter first
  following for from full group grouping having ilike in inner intersect interval into is join last lateral leading left
  like limit max minus natural not null nulls of offset on only or order outer over overlaps partition percent pivot
  preceding qualify range recursion recursive regexp repeatable right rlike rollup row rows select semi sets some sort
  table tablesample then timestamp to trailing true try_cast unbounded union unknown unpivot using values version view
  when where window with within`);

const types = words(`
  array bigint binary boolean byte char date dec decimal double float int integer long map numeric object real short
  smallint string struct timestamp_ltz timestamp_ntz tinyint varchar variant void`);

/** Databricks: a backslash escapes, backticks quote names, and double quotes quote texts. */
export const databricksDialect = SQLDialect.define({
  keywords,
  types,
  backslashEscapes: true,
  doubleQuotedStrings: true,
  identifierQuotes: '`',
});
