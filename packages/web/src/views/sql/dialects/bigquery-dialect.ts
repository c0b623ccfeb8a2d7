import { SQLDialect } from '@codemirror/lang-sql';

/** Normalizes spaces: the library expects one space between two words. */
const words = (text: string): string => text.trim().split(/\s+/).join(' ');

const keywords = words(`
  all and any array as asc at between both by case cast collate contains cross cube current date default desc distinct
  else end escape except exclude exists extract false fetch first following for from full group grouping groups hash
  having if ignore in information_schema inner intersect interval into is join last lateral left like limit lookup
  natural new no not null nulls of offset on or order outer over partition percent pivot preceding proto qualify range
  recursive replace respect right rollup row rows safe_cast select sets some struct system system_time tablesample then
  to true unbounded union unnest unpivot using value when where window with within zone`);

const types = words(`
  bignumeric bool bytes date datetime float64 geography int64 interval json numeric range string struct time timestamp`);

/** BigQuery: a backslash escapes, backticks quote names, and double quotes quote texts. */
export const bigqueryDialect = SQLDialect.define({
  keywords,
  types,
  backslashEscapes: true,
  hashComments: true,
  doubleQuotedStrings: true,
  identifierQuotes: '`',
});
