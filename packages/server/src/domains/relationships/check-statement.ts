import type { SqlDialect } from '@svc/connectors';
import type { Ends } from './types.ts';

/** Maximum number of distinct values that a check examines. */
export const valuesMax = 10_000;

/**
 * Returns the statement that counts, for the dialect of the engine. It returns only counts, so masking does not apply
 * to the result.
 */
export function checkStatement(
  { source, target }: Ends,
  { name, quote }: Pick<SqlDialect, 'name' | 'quote'>,
): string {
  const tableOf = ({ schema, table }: Ends['source']) =>
    schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;
  const columns = source.columns.map(quote);
  const names = columns.map((column, at) => `${column} as c${at}`).join(', ');
  const pairs = target.columns.map((column, at) => `t.${quote(column)} = v.c${at}`).join(' and ');
  const present = columns.map((column) => `${column} is not null`).join(' and ');
  const isMissing = `case when not exists (select 1 from ${tableOf(target)} t where ${pairs}) then 1 end`;
  const values = `select distinct ${names} from ${tableOf(source)}
  where ${present} limit ${valuesMax + 1}`;
  // BigQuery does not support a subquery inside a count.
  if (name === 'bigquery')
    return `select count(*) as checked, count(w.gone) as missing
from (select ${isMissing} as gone from (
  ${values}
) v) w`;
  // SQL Server does not support a subquery inside a count, and has no LIMIT.
  if (name === 'sqlserver')
    return `select count(*) as checked, count(w.gone) as missing
from (select ${isMissing} as gone from (
  select distinct top (${valuesMax + 1}) ${names} from ${tableOf(source)}
  where ${present}
) v) w`;
  // Snowflake does not support such a subquery inside a count.
  if (name === 'snowflake')
    return `select count(*) as checked, count(case when t.${quote(target.columns[0] ?? '')} is null then 1 end) as missing
from (
  ${values}
) v left join (select distinct ${target.columns.map(quote).join(', ')} from ${tableOf(target)}) t on ${pairs}`;
  return `select count(*) as checked,
  count(${isMissing}) as missing
from (
  ${values}
) v`;
}
