import { connectionKey } from '../connection/connection-pool.ts';
import type { CheckedRead } from '../gate/checked-read.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { ReadCatalogue } from './catalogue.ts';
import { tablesOfRead } from './lineage.ts';

/** Catalogues without views, by connection and table names: small reads need no second exchange for them. */
export type CatalogueCache = {
  readonly of: (connection: PostgresqlConnection, read: CheckedRead) => ReadCatalogue | undefined;
  readonly store: (connection: PostgresqlConnection, read: CheckedRead, catalogue: ReadCatalogue) => void;
};

/**
 * How long a name is taken for the table that it was. Names of columns come from the statement and its description;
 * what may be late is that a view has replaced a table that only expressions read.
 */
const lifetimeMs = 10_000;
const entriesMax = 1_000;

/** Makes the cache, of one process. */
export function createCatalogueCache(): CatalogueCache {
  const entries = new Map<string, { readonly catalogue: ReadCatalogue; readonly expiresAt: number }>();
  const keyOf = (connection: PostgresqlConnection, read: CheckedRead): string =>
    `${connectionKey(connection)} ${JSON.stringify(tablesOfRead(read))}`;
  return {
    of: (connection, read) => {
      const entry = entries.get(keyOf(connection, read));
      return entry && entry.expiresAt > performance.now() ? entry.catalogue : undefined;
    },
    store: (connection, read, catalogue) => {
      if (catalogue.hasViews) return;
      const key = keyOf(connection, read);
      entries.delete(key);
      entries.set(key, { catalogue, expiresAt: performance.now() + lifetimeMs });
      const [oldest] = entries.size > entriesMax ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
