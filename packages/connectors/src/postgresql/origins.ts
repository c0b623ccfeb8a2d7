import type pg from 'pg';
import type { ColumnOrigin } from '../values.ts';
import { runBound } from './exchange.ts';

/** One table alone: after a reset the server plans anew, and a join of catalogues takes it as long as all the rest. */
const originsStatement = `
  select a.attrelid::text, a.attnum::text, a.attname from pg_catalog.pg_attribute a
   where a.attrelid = any ($1::oid[]) and a.attnum > 0`;

/**
 * Asks the server which table column each result column of a described statement is taken from. An expression has
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
    const [table, column, name] = cells;
    byPlace.set(`${table}.${column}`, { column: String(name) });
  });
  return { parts: [part], origins };
}
