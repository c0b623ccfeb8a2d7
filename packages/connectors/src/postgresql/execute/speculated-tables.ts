import { connectionKey } from '../connection/connection-pool.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { OriginTable } from './origins.ts';

/**
 * Cache of the tables from which the columns of statements came last time. With it the column names can be requested
 * before the server has described the statement. It decides nothing: the descriptions state the actual tables, and a
 * mismatch discards the read rows.
 */
export type SpeculatedTables = {
  /** Returns undefined without an entry for statements that read from the same tables. */
  readonly of: (connection: PostgresqlConnection, sql: string) => readonly OriginTable[] | undefined;
  /** Stores the tables of a statement. Slow statements are not speculated on. */
  readonly keep: (
    connection: PostgresqlConnection,
    sql: string,
    tables: readonly OriginTable[],
    tookMs: number,
  ) => void;
  /** Removes the entry, after a wrong speculation or a slow statement. */
  readonly forget: (connection: PostgresqlConnection, sql: string) => void;
};

const entriesMax = 2_000;
const textLengthMax = 10_000;
const namesMax = 20;
/** Tables of one entry. If the same names refer to different tables over time, all of them are requested. */
const tablesMax = 20;
/** Column limit for the describing statement. The server accepts only slightly more. */
const columnsMax = 1_600;
/** A wrong speculation repeats the read. This limit bounds its cost for the server. */
export const tookMaxMs = 250;

const afterFrom = /\b(?:from|join)\s+([\w$".]+)/gi;

/** Returns a heuristic key that is equal for statements that read from the same tables. */
function keyOf(connection: PostgresqlConnection, sql: string): string | undefined {
  if (sql.length > textLengthMax) return undefined;
  return `${connectionKey(connection)} ${namesIn(sql)}`;
}

/** Names of the last statement, for callers that repeat it. */
let last = { sql: '', names: '' };

function namesIn(sql: string): string {
  if (last.sql === sql) return last.names;
  const names: string[] = [];
  for (const [, name = ''] of sql.matchAll(afterFrom)) if (names.push(name) === namesMax) break;
  last = { sql, names: names.join(' ') };
  return last.names;
}

/** Creates the cache of one process. */
export function createSpeculatedTables(): SpeculatedTables {
  const tablesByKey = new Map<string, readonly OriginTable[]>();
  return {
    of: (connection, sql) => {
      const key = keyOf(connection, sql);
      const tables = key === undefined ? undefined : tablesByKey.get(key);
      if (key === undefined || tables === undefined) return undefined;
      // Moves the entry to the end: the least recently used one is evicted first.
      tablesByKey.delete(key);
      tablesByKey.set(key, tables);
      return tables;
    },
    keep: (connection, sql, tables, tookMs) => {
      const key = keyOf(connection, sql);
      if (key === undefined) return;
      const before = tablesByKey.get(key) ?? [];
      tablesByKey.delete(key);
      if (tookMs > tookMaxMs || tables.length > tablesMax) return;
      const all = unionOf(tables, before).slice(0, tablesMax);
      const isDescribable = (some: readonly OriginTable[]) =>
        some.reduce((sum, { columnCount }) => sum + columnCount, 0) <= columnsMax;
      const stored = [all, tables].find(isDescribable);
      if (stored === undefined) return;
      tablesByKey.set(key, stored);
      const [oldest] = tablesByKey.size > entriesMax ? tablesByKey.keys() : [];
      if (oldest !== undefined) tablesByKey.delete(oldest);
    },
    forget: (connection, sql) => {
      const key = keyOf(connection, sql);
      if (key !== undefined) tablesByKey.delete(key);
    },
  };
}

const unionOf = (tables: readonly OriginTable[], before: readonly OriginTable[]): OriginTable[] => [
  ...tables,
  ...before.filter(({ id }) => !tables.some((table) => table.id === id)),
];
