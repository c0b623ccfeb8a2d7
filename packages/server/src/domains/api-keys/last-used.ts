import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { noteUses } from './store.ts';

/** Keeps the time of each key's last use, written behind the requests: never in their way. */
export type LastUsed = {
  readonly note: (keyId: number, at: Date) => void;
  /** Writes what is waiting. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** At most one write in this time, for all keys together; so at most one for each key. */
const intervalMs = 1_000;

export function createLastUsed(database: Database, log: Logger): LastUsed {
  let waiting = new Map<number, Date>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let flushedAtMs = Number.NEGATIVE_INFINITY;

  const write = async (): Promise<void> => {
    const uses = waiting;
    if (uses.size === 0) return;
    waiting = new Map();
    flushedAtMs = performance.now();
    try {
      await noteUses(database, uses);
    } catch (error) {
      log.warn({ err: error, keys: uses.size }, 'the last use of API keys could not be noted');
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  return {
    note: (keyId, at) => {
      waiting.set(keyId, at);
      if (timer !== undefined) return;
      const delayMs = Math.max(0, flushedAtMs + intervalMs - performance.now());
      timer = setTimeout(() => void flush(), delayMs).unref();
    },
    flush,
    close: flush,
  };
}
