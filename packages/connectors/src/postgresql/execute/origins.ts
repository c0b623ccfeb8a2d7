import { describeText, type Part, runBound } from '@svc/pg-wire';
import type pg from 'pg';
import type { ColumnOrigin } from '../../values.ts';

/** Table or view from which result columns come. */
export type OriginTable = {
  readonly id: number;
  /** SQL name on this connection, quoted and qualified where needed. */
  readonly name: string;
  readonly columnCount: number;
};

/**
 * Reads one table only: after a reset the server plans again, and planning a join of catalogues takes as long as all
 * the rest.
 */
const originsStatement = `
  select a.attrelid::text, a.attnum::text, a.attname, a.attrelid::regclass::text from pg_catalog.pg_attribute a
   where a.attrelid = any ($1::oid[]) and a.attnum > 0`;

/** Returns the tables from which columns of a described statement come. */
export const tablesOf = (fields: readonly pg.FieldDef[]): number[] => [
  ...new Set(fields.map((field) => field.tableID).filter((id) => id > 0)),
];

type OriginsOf = (fields: readonly pg.FieldDef[]) => (ColumnOrigin | null)[];

/**
 * Requests the columns of tables, to determine from which of them each result column of a described statement comes.
 * An expression has no origin. PostgreSQL follows plain columns through subqueries, CTEs and joins.
 *
 * @returns the parts to send, which are empty without a table, and the origins and the tables after their answer.
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
 * Requests the same by the names that the tables had last time. The server describes a statement that selects all
 * their columns, without planning or running it. It reports table and name of each column. The same transaction must
 * have parsed the statement with the rows before. Its tables are then locked, and no other session can rename a
 * column.
 *
 * @returns also the tables that the names now refer to, as the server reported them.
 */
export function describeOrigins(tables: readonly OriginTable[]): {
  readonly parts: readonly Part[];
  readonly originsOf: OriginsOf;
  readonly tables: () => ReadonlySet<number>;
} {
  const byPlace = new Map<string, ColumnOrigin>();
  const tableIds = new Set<number>();
  const from = tables.map(({ name }, at) => `${name} t${at}`).join(', ');
  const part = describeText(`select * from ${from}`, (fields) => {
    for (const { tableID, columnID, name } of fields) {
      tableIds.add(tableID);
      byPlace.set(`${tableID}.${columnID}`, { column: name });
    }
  });
  return { parts: tables.length === 0 ? [] : [part], originsOf: originsIn(byPlace), tables: () => tableIds };
}

const originsIn =
  (byPlace: ReadonlyMap<string, ColumnOrigin>): OriginsOf =>
  (fields) =>
    fields.map(({ tableID, columnID }) => byPlace.get(`${tableID}.${columnID}`) ?? null);
