import { describeText, type Part, runBound } from '@svc/pg-wire';
import type pg from 'pg';
import type { ColumnOrigin } from '../../values.ts';

/** A table that result columns are taken from; a view is one. */
export type OriginTable = {
  readonly id: number;
  /** As SQL names it on this connection, quoted and qualified where that is needed. */
  readonly name: string;
  readonly columnCount: number;
};

/** One table alone: after a reset the server plans anew, and a join of catalogues takes it as long as all the rest. */
const originsStatement = `
  select a.attrelid::text, a.attnum::text, a.attname, a.attrelid::regclass::text from pg_catalog.pg_attribute a
   where a.attrelid = any ($1::oid[]) and a.attnum > 0`;

/** The tables that columns of a described statement are taken from. */
export const tablesOf = (fields: readonly pg.FieldDef[]): number[] => [
  ...new Set(fields.map((field) => field.tableID).filter((id) => id > 0)),
];

type OriginsOf = (fields: readonly pg.FieldDef[]) => (ColumnOrigin | null)[];

/**
 * Asks the server for the columns of tables, to say which of them each result column of a described statement is taken
 * from. An expression has none. PostgreSQL follows plain columns through subqueries, CTEs and joins.
 *
 * @returns what to send, nothing when there is no table, and the origins and the tables once that is answered.
 */
export function askOrigins(tables: readonly number[]): {
  readonly parts: readonly Part[];
  readonly originsOf: OriginsOf;
  readonly tables: () => OriginTable[];
} {
  const byPlace = new Map<string, ColumnOrigin>();
  const byId = new Map<number, OriginTable>();
  const part = runBound(originsStatement, [`{${tables.join(',')}}`], (cells) => {
    const [table, column, name, tableName] = cells;
    byPlace.set(`${table}.${column}`, { column: String(name) });
    const id = Number(table);
    byId.set(id, { id, name: String(tableName), columnCount: (byId.get(id)?.columnCount ?? 0) + 1 });
  });
  return {
    parts: tables.length === 0 ? [] : [part],
    originsOf: originsIn(byPlace),
    tables: () => [...byId.values()],
  };
}

/**
 * Asks for the same by the names that tables had last time: the server describes a statement that selects all of
 * their columns, which is neither planned nor run, and tells table and name of each. Where the statement whose rows are
 * read was parsed in the same transaction before, its tables are locked, and nobody renames a column in between.
 *
 * @returns beside these, which tables the names stand for, as the server said.
 */
export function describeOrigins(tables: readonly OriginTable[]): {
  readonly parts: readonly Part[];
  readonly originsOf: OriginsOf;
  readonly tables: () => ReadonlySet<number>;
} {
  const byPlace = new Map<string, ColumnOrigin>();
  const told = new Set<number>();
  const from = tables.map(({ name }, at) => `${name} t${at}`).join(', ');
  const part = describeText(`select * from ${from}`, (fields) => {
    for (const { tableID, columnID, name } of fields) {
      told.add(tableID);
      byPlace.set(`${tableID}.${columnID}`, { column: name });
    }
  });
  return { parts: tables.length === 0 ? [] : [part], originsOf: originsIn(byPlace), tables: () => told };
}

const originsIn =
  (byPlace: ReadonlyMap<string, ColumnOrigin>): OriginsOf =>
  (fields) =>
    fields.map(({ tableID, columnID }) => byPlace.get(`${tableID}.${columnID}`) ?? null);
