import { connectionKey } from '../connection/connection-pool.ts';
import type { CheckedRead } from '../gate/checked-read.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { ReadCatalogue } from './catalogue.ts';
import { tablesOfRead } from './lineage.ts';

/** Cache of catalogues without views, by connection and table names. With it small reads need no second exchange. */
export type CatalogueCache = {
  readonly of: (connection: PostgresqlConnection, read: CheckedRead) => ReadCatalogue | undefined;
  readonly store: (connection: PostgresqlConnection, read: CheckedRead, catalogue: ReadCatalogue) => void;
};

/**
 * Time for which a name is assumed to refer to the same table. Column names come from the statement and its
 * description. Only one change can be noticed late: a view replaces a table that only expressions read.
 */
const lifetimeMs = 10_000;
const entriesMax = 1_000;

/** Creates the cache of one process. */
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
