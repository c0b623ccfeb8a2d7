import { type Part, runBound } from '@svc/pg-wire';
import type pg from 'pg';
import { connectionKey } from '../connection/connection-pool.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { isListedType } from './types.ts';

/** Names of types by their object id. */
export type TypeNames = ReadonlyMap<number, string>;

/**
 * Names of types that the connector does not list: enums, domains, ranges, arrays and types of extensions. A small read
 * takes them from here, so that it needs no second exchange.
 */
export type TypeNameCache = {
  /** Returns undefined unless the names of all types of the columns are cached. */
  readonly of: (connection: PostgresqlConnection, fields: readonly pg.FieldDef[]) => TypeNames | undefined;
  readonly store: (connection: PostgresqlConnection, names: TypeNames) => void;
};

/** Short, because a type may be renamed, or dropped and created again. */
const lifetimeMs = 10_000;
const entriesMax = 1_000;

const unlistedTypes = (fields: readonly pg.FieldDef[]): number[] => [
  ...new Set(fields.map(({ dataTypeID }) => dataTypeID).filter((oid) => !isListedType(oid))),
];

/** Creates the cache of one process. */
export function createTypeNameCache(): TypeNameCache {
  const entries = new Map<string, { readonly name: string; readonly expiresAt: number }>();
  return {
    of: (connection, fields) => {
      const types = unlistedTypes(fields);
      if (types.length === 0) return new Map();
      const names = new Map<number, string>();
      const key = connectionKey(connection);
      for (const oid of types) {
        const entry = entries.get(`${key} ${oid}`);
        if (!entry || entry.expiresAt <= performance.now()) return undefined;
        names.set(oid, entry.name);
      }
      return names;
    },
    store: (connection, names) => {
      const key = names.size === 0 ? '' : connectionKey(connection);
      for (const [oid, name] of names) {
        entries.delete(`${key} ${oid}`);
        entries.set(`${key} ${oid}`, { name, expiresAt: performance.now() + lifetimeMs });
        const [oldest] = entries.size > entriesMax ? entries.keys() : [];
        if (oldest !== undefined) entries.delete(oldest);
      }
    },
  };
}

const namesStatement =
  'select t.oid::text, pg_catalog.format_type(t.oid, null) from pg_catalog.pg_type t where t.oid = any ($1::oid[])';

/**
 * Requests the names of types of described columns that the connector does not list.
 *
 * @returns the parts to send, which are empty if every type is listed, and the names after their answer.
 */
export function askTypeNames(fields: readonly pg.FieldDef[]): {
  readonly parts: readonly Part[];
  readonly names: TypeNames;
} {
  const types = unlistedTypes(fields);
  const names = new Map<number, string>();
  const part = runBound(namesStatement, [`{${types.join(',')}}`], ([oid, name]) => {
    names.set(Number(oid), String(name));
  });
  return { parts: types.length === 0 ? [] : [part], names };
}
