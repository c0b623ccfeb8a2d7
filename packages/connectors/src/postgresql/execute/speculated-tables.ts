import { connectionKey } from '../connection/connection-pool.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { OriginTable } from './origins.ts';

/**
 * Which tables the columns of statements came from last time, so that the names of their columns can be asked for
 * before the server has described the statement. It decides nothing: the descriptions say which tables they are, and
 * where they name another one, what was read is thrown away.
 */
export type SpeculatedTables = {
  /** Undefined where nothing is known of statements that read from the same. */
  readonly of: (connection: PostgresqlConnection, sql: string) => readonly OriginTable[] | undefined;
  /** Keeps what was found; nothing is speculated of statements that take long. */
  readonly keep: (
    connection: PostgresqlConnection,
    sql: string,
    tables: readonly OriginTable[],
    tookMs: number,
  ) => void;
  /** What was speculated does not hold, or the statement took long. */
  readonly forget: (connection: PostgresqlConnection, sql: string) => void;
};

const entriesMax = 2_000;
const textLengthMax = 10_000;
const namesMax = 20;
/** Tables of one entry: where the same names stand for others from time to time, all of them are asked for. */
const tablesMax = 20;
/** The server describes this many columns of one statement, and a few more. */
const columnsMax = 1_600;
/** What was speculated wrongly is read again: that may not cost the server much. */
export const tookMaxMs = 250;

const afterFrom = /\b(?:from|join)\s+([\w$".]+)/gi;

/** What statements that read from the same tables have in common, as far as that shows; no more than a guess. */
function keyOf(connection: PostgresqlConnection, sql: string): string | undefined {
  if (sql.length > textLengthMax) return undefined;
  return `${connectionKey(connection)} ${namesIn(sql)}`;
}

/** Some ask for the same statement again and again. */
let last = { sql: '', names: '' };

function namesIn(sql: string): string {
  if (last.sql === sql) return last.names;
  const names: string[] = [];
  for (const [, name = ''] of sql.matchAll(afterFrom)) if (names.push(name) === namesMax) break;
  last = { sql, names: names.join(' ') };
  return last.names;
}

/** Makes the memory, of one process. */
export function createSpeculatedTables(): SpeculatedTables {
  const known = new Map<string, readonly OriginTable[]>();
  return {
    of: (connection, sql) => {
      const key = keyOf(connection, sql);
      const tables = key === undefined ? undefined : known.get(key);
      if (key === undefined || tables === undefined) return undefined;
      // What was asked for last is forgotten last.
      known.delete(key);
      known.set(key, tables);
      return tables;
    },
    keep: (connection, sql, tables, tookMs) => {
      const key = keyOf(connection, sql);
      if (key === undefined) return;
      const before = known.get(key) ?? [];
      known.delete(key);
      if (tookMs > tookMaxMs || tables.length > tablesMax) return;
      const all = unionOf(tables, before).slice(0, tablesMax);
      const isDescribable = (some: readonly OriginTable[]) =>
        some.reduce((sum, { columnCount }) => sum + columnCount, 0) <= columnsMax;
      const kept = [all, tables].find(isDescribable);
      if (kept === undefined) return;
      known.set(key, kept);
      const [oldest] = known.size > entriesMax ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
    },
    forget: (connection, sql) => {
      const key = keyOf(connection, sql);
      if (key !== undefined) known.delete(key);
    },
  };
}

const unionOf = (tables: readonly OriginTable[], before: readonly OriginTable[]): OriginTable[] => [
  ...tables,
  ...before.filter(({ id }) => !tables.some((table) => table.id === id)),
];
