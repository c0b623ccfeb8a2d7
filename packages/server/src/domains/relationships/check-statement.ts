import type { Ends } from './types.ts';

/** Different values that are looked at. */
export const valuesMax = 10_000;

/**
 * The statement that counts, in words that every engine has; names are quoted as the engine quotes them. Only counts
 * come out, which no masking touches, whatever the columns hold.
 */
export function checkStatement({ source, target }: Ends, quote: (name: string) => string): string {
  const tableOf = ({ schema, table }: Ends['source']) =>
    schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;
  const columns = source.columns.map(quote);
  const names = columns.map((column, at) => `${column} as c${at}`);
  const pairs = target.columns.map((column, at) => `t.${quote(column)} = v.c${at}`);
  return `select count(*) as checked,
  count(case when not exists (select 1 from ${tableOf(target)} t where ${pairs.join(' and ')}) then 1 end) as missing
from (
  select distinct ${names.join(', ')} from ${tableOf(source)}
  where ${columns.map((column) => `${column} is not null`).join(' and ')} limit ${valuesMax + 1}
) v`;
}
