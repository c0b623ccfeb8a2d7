import { hash } from 'node:crypto';
import type { PostgresqlConnection } from '../settings.ts';
import type { Link } from './link.ts';

/** How long and how many connections wait for a next statement. */
export type ConnectionPoolOptions = {
  /** Unused for so long, a connection is closed. Default 2,000 ms; 0 keeps none. */
  readonly idleMs?: number;
  /** From sign-in on: then it serves no further statement. Default 60,000 ms. */
  readonly ageMaxMs?: number;
  /** With the same settings, sign-in included. Default 4. */
  readonly perConnectionMax?: number;
  /** Of all data sources together. Default 32. */
  readonly totalMax?: number;
};

/**
 * Connections whose statement has ended well, for the next one with exactly the same settings: whoever changes any of
 * them, the password included, gets a new one.
 */
export type ConnectionPool = {
  /** Waits until the last statement has left nothing behind. Undefined when there is none to be had. */
  readonly take: (connection: PostgresqlConnection) => Promise<Link | undefined>;
  /**
   * Keeps a connection. False when it may not be kept.
   *
   * @param cleaned  resolves to true when the session is as it was after sign-in.
   */
  readonly offer: (connection: PostgresqlConnection, link: Link, cleaned: Promise<boolean>) => boolean;
  readonly close: () => void;
};

type Entry = { readonly link: Link; readonly cleaned: Promise<boolean>; timer: NodeJS.Timeout | undefined };

const keys = new WeakMap<PostgresqlConnection, string>();

/** Tells settings from others. They hold a password: they are not kept as a key. */
export function connectionKey(connection: PostgresqlConnection): string {
  const known = keys.get(connection);
  if (known !== undefined) return known;
  const key = hash('sha256', JSON.stringify(connection), 'base64');
  keys.set(connection, key);
  return key;
}

/** Makes the pool. It holds nothing until the first connection is offered. */
export function createConnectionPool(options: ConnectionPoolOptions = {}): ConnectionPool {
  const { idleMs = 2_000, ageMaxMs = 60_000, perConnectionMax = 4, totalMax = 32 } = options;
  const kept = new Map<string, Entry[]>();
  let total = 0;
  let isClosed = false;

  function remove(key: string, entry: Entry): boolean {
    const entries = kept.get(key) ?? [];
    const at = entries.indexOf(entry);
    if (at < 0) return false;
    clearTimeout(entry.timer);
    entries.splice(at, 1);
    if (entries.length === 0) kept.delete(key);
    total -= 1;
    return true;
  }

  return {
    take: async (connection) => {
      const key = connectionKey(connection);
      for (;;) {
        const entry = kept.get(key)?.at(-1);
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
      const entries = kept.get(key) ?? [];
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
      kept.set(key, [...entries, entry]);
      total += 1;
      return true;
    },

    close: () => {
      isClosed = true;
      for (const [key, entries] of [...kept])
        for (const entry of [...entries]) {
          remove(key, entry);
          entry.link.leave();
        }
    },
  };
}
