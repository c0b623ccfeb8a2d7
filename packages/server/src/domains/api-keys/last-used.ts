import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { noteUses } from './store.ts';
import { addUses, type CountedUse } from './use-store.ts';

/** Records the uses of keys and their last time. Writes asynchronously, so that no request waits. */
export type LastUsed = {
  /** `route`: the router's pattern of the path, such as `/svc/api/projects/:id`. */
  readonly note: (keyId: number, at: Date, method: string, route: string) => void;
  /** Writes all pending uses. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Minimum interval between writes, for all keys together. */
const intervalMs = 1_000;
/** Maximum number of different pending uses. Beyond it only the times of the last use are recorded. */
const waitingMax = 20_000;

/** A use with a mutable count. */
type Counting = { -readonly [K in keyof CountedUse]: CountedUse[K] };

export function createLastUsed(database: Database, log: Logger): LastUsed {
  let waiting = new Map<number, Date>();
  /** By key, then by method and route. */
  let counted = new Map<number, Map<string, Counting>>();
  let countedSize = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let flushedAtMs = Number.NEGATIVE_INFINITY;

  const write = async (): Promise<void> => {
    const uses = waiting;
    if (uses.size === 0) return;
    const byRoute = [...counted.values()].flatMap((ofKey) => [...ofKey.values()]);
    waiting = new Map();
    counted = new Map();
    countedSize = 0;
    flushedAtMs = performance.now();
    try {
      await noteUses(database, uses);
      await addUses(database, byRoute);
    } catch (error) {
      log.warn({ err: error, keys: uses.size }, 'the last use of API keys could not be noted');
    }
  };
  const count = (keyId: number, at: Date, method: string, route: string): void => {
    let ofKey = counted.get(keyId);
    const name = method === 'GET' ? route : `${method} ${route}`;
    const entry = ofKey?.get(name);
    if (entry) {
      entry.count += 1;
      entry.at = at;
      return;
    }
    if (countedSize >= waitingMax) return;
    if (!ofKey) {
      ofKey = new Map();
      counted.set(keyId, ofKey);
    }
    countedSize += 1;
    const operation = `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`;
    ofKey.set(name, { keyId, operation, count: 1, at });
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  return {
    note: (keyId, at, method, route) => {
      waiting.set(keyId, at);
      count(keyId, at, method, route);
      if (timer !== undefined) return;
      const delayMs = Math.max(0, flushedAtMs + intervalMs - performance.now());
      timer = setTimeout(() => void flush(), delayMs).unref();
    },
    flush,
    close: flush,
  };
}
