import { hash } from 'node:crypto';
import type { PostgresqlConnection } from '../settings.ts';
import type { Link } from './link.ts';

/** Bounds on unused connections that wait for a next statement. */
export type ConnectionPoolOptions = {
  /** Idle time after which a connection is closed. Default 2,000 ms; 0 retains none. */
  readonly idleMs?: number;
  /** Age since sign-in after which a connection serves no further statement. Default 60,000 ms. */
  readonly ageMaxMs?: number;
  /** Connections with the same settings, including the sign-in. Default 4. */
  readonly perConnectionMax?: number;
  /** Connections of all data sources together. Default 32. */
  readonly totalMax?: number;
};

/**
 * Reusable connections. A next statement gets one only with exactly the same settings: a change of any setting,
 * including the password, leads to a new connection.
 */
export type ConnectionPool = {
  /** Returns a connection after its last statement was cleaned up. Undefined if none is available. */
  readonly take: (connection: PostgresqlConnection) => Promise<Link | undefined>;
  /**
   * Offers a connection for reuse. Returns false if the pool does not accept it.
   *
   * @param cleaned  resolves to true when the session is in the same state as after sign-in.
   */
  readonly offer: (connection: PostgresqlConnection, link: Link, cleaned: Promise<boolean>) => boolean;
  readonly close: () => void;
};

type Entry = { readonly link: Link; readonly cleaned: Promise<boolean>; timer: NodeJS.Timeout | undefined };

const keys = new WeakMap<PostgresqlConnection, string>();

/** Returns a key of the settings. It is a hash, because the settings contain a password. */
export function connectionKey(connection: PostgresqlConnection): string {
  const cached = keys.get(connection);
  if (cached !== undefined) return cached;
  const key = hash('sha256', JSON.stringify(connection), 'base64');
  keys.set(connection, key);
  return key;
}

/** Creates the pool, which is empty at first. */
export function createConnectionPool(options: ConnectionPoolOptions = {}): ConnectionPool {
  const { idleMs = 2_000, ageMaxMs = 60_000, perConnectionMax = 4, totalMax = 32 } = options;
  const entriesByKey = new Map<string, Entry[]>();
  let total = 0;
  let isClosed = false;

  function remove(key: string, entry: Entry): boolean {
    const entries = entriesByKey.get(key) ?? [];
    const at = entries.indexOf(entry);
    if (at < 0) return false;
    clearTimeout(entry.timer);
    entries.splice(at, 1);
    if (entries.length === 0) entriesByKey.delete(key);
    total -= 1;
    return true;
  }

  return {
    take: async (connection) => {
      const key = connectionKey(connection);
      for (;;) {
        const entry = entriesByKey.get(key)?.at(-1);
        if (!entry) return undefined;
        remove(key, entry);
        if ((await entry.cleaned) && entry.link.isOpen()) {
          entry.link.wake();
          return entry.link;
        }
        entry.link.destroy();
      }
    },

    offer: (connection, link, cleaned) => {
      const key = connectionKey(connection);
      const entries = entriesByKey.get(key) ?? [];
      const isOld = performance.now() - link.openedAt > ageMaxMs;
      if (isClosed || isOld || idleMs === 0 || entries.length >= perConnectionMax || total >= totalMax)
        return false;
      const entry: Entry = { link, cleaned, timer: undefined };
      const drop = () => {
        if (remove(key, entry)) link.leave();
      };
      entry.timer = setTimeout(drop, idleMs).unref();
      link.sleep(drop);
      void cleaned.then((isClean) => {
        if (!isClean) drop();
      });
      entriesByKey.set(key, [...entries, entry]);
      total += 1;
      return true;
    },

    close: () => {
      isClosed = true;
      for (const [key, entries] of [...entriesByKey])
        for (const entry of [...entries]) {
          remove(key, entry);
          entry.link.leave();
        }
    },
  };
}
