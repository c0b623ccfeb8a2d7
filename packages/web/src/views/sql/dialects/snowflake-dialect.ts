import { SQLDialect } from '@codemirror/lang-sql';

/** Normalizes spaces: the library expects one space between two words. */
const words = (text: string): string => text.trim().split(/\s+/).join(' ');

const keywords = words(`
  all and any as asc asof at before between by case cast changes connect cross cube current desc distinct else end
  escape except exclude exists false fetch first flatten following for from full group grouping having ignore ilike in
  inner input intersect interval into is join last lateral left like limit match_condition match_recognize measures
  minus natural next not null nulls of offset on only or order outer over partition pattern pivot preceding prior qualify
  range recursive regexp rename replace right rlike rollup row rows sample select sets start table tablesample then to
  top true try_cast unbounded union unpivot using values when where window with within`);

const types = words(`
  array bigint binary boolean char date datetime decfloat decimal double float geography geometry int integer number
  numeric object real smallint string text time timestamp timestamp_ltz timestamp_ntz timestamp_tz tinyint varchar
  variant vector`);

/**
 * Snowflake: a backslash escapes in texts, `$$` quotes a text over several lines, and `//` starts a comment like `--`.
 */
export const snowflakeDialect = SQLDialect.define({
  keywords,
  types,
  backslashEscapes: true,
  slashComments: true,
  doubleDollarQuotedStrings: true,
});
