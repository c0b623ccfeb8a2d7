import type pg from 'pg';
import type { ColumnOrigin } from '../values.ts';
import { runBound } from './exchange.ts';

const originsStatement = `
  select a.attrelid::text, a.attnum::text, c.relname, a.attname
    from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
   where a.attrelid = any ($1::oid[]) and a.attnum > 0`;

/**
 * Asks the server which table and column each result column of a described statement is taken from. An expression has
 * none. PostgreSQL follows plain columns through subqueries, CTEs and joins; a view is a table here.
 *
 * @returns what to send, nothing when no column is plain, and the origins once that is answered.
 */
export function askOrigins(fields: readonly pg.FieldDef[]): {
  readonly parts: ReturnType<typeof runBound>[];
  readonly origins: () => (ColumnOrigin | null)[];
} {
  const byPlace = new Map<string, ColumnOrigin>();
  const origins = () => fields.map(({ tableID, columnID }) => byPlace.get(`${tableID}.${columnID}`) ?? null);
  const tables = [...new Set(fields.map((field) => field.tableID).filter((id) => id > 0))];
  if (tables.length === 0) return { parts: [], origins };
  const part = runBound(originsStatement, [`{${tables.join(',')}}`], (cells) => {
    const [table, column, tableName, columnName] = cells;
    byPlace.set(`${table}.${column}`, { table: String(tableName), column: String(columnName) });
  });
  return { parts: [part], origins };
}
