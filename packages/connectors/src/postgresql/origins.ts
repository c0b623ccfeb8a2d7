import type pg from 'pg';
import type { ColumnOrigin } from '../values.ts';
import { type Part, runBound } from './exchange.ts';

/** One table alone: after a reset the server plans anew, and a join of catalogues takes it as long as all the rest. */
const originsStatement = `
  select a.attrelid::text, a.attnum::text, a.attname from pg_catalog.pg_attribute a
   where a.attrelid = any ($1::oid[]) and a.attnum > 0`;

/** The tables that columns of a described statement are taken from. */
export const tablesOf = (fields: readonly pg.FieldDef[]): number[] => [
  ...new Set(fields.map((field) => field.tableID).filter((id) => id > 0)),
];

/**
 * Asks the server for the columns of tables, to say which of them each result column of a described statement is taken
 * from. An expression has none. PostgreSQL follows plain columns through subqueries, CTEs and joins; a view is a table
 * here.
 *
 * @returns what to send, nothing when there is no table, and the origins once that is answered.
 */
export function askOrigins(tables: readonly number[]): {
  readonly parts: readonly Part[];
  readonly originsOf: (fields: readonly pg.FieldDef[]) => (ColumnOrigin | null)[];
} {
  const byPlace = new Map<string, ColumnOrigin>();
  const originsOf = (fields: readonly pg.FieldDef[]) =>
    fields.map(({ tableID, columnID }) => byPlace.get(`${tableID}.${columnID}`) ?? null);
  if (tables.length === 0) return { parts: [], originsOf };
  const part = runBound(originsStatement, [`{${tables.join(',')}}`], (cells) => {
    const [table, column, name] = cells;
    byPlace.set(`${table}.${column}`, { column: String(name) });
  });
  return { parts: [part], originsOf };
}
