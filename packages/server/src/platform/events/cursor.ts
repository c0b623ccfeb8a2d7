import type { Queryable } from '../db/index.ts';
import { readableAgeSeconds, readEvents, type StoredEvent } from './store.ts';

/** Time without a read after which events may be too old to be readable. */
const gapMs = (readableAgeSeconds * 1_000) / 2;

/** Creates a reader that returns each event once, in write order. */
export function createEventCursor(database: Queryable) {
  /** All events of transactions before this one have been returned. */
  let position: string | undefined;
  /** Ids of returned events from transactions at or after `position`. */
  let returnedIds: ReadonlySet<number> = new Set();
  let readAtMs = 0;

  const readNext = async (): Promise<readonly StoredEvent[]> => {
    const { events, oldestRunning } = await readEvents(database, position);
    const previousIds = returnedIds;
    position = oldestRunning;
    readAtMs = performance.now();
    returnedIds = new Set(
      events.filter(({ txid }) => BigInt(txid) >= BigInt(oldestRunning)).map(({ id }) => id),
    );
    return events.filter(({ id }) => !previousIds.has(id));
  };

  return {
    /** Starts after the existing events. */
    begin: async (): Promise<void> => {
      position = (await readEvents(database, undefined)).oldestRunning;
      await readNext();
    },
    /** Returns the next events. `hasGap`: events before them may be lost, because the last read is long ago. */
    next: async (): Promise<{ readonly events: readonly StoredEvent[]; readonly hasGap: boolean }> => {
      const hasGap = performance.now() - readAtMs > gapMs;
      return { events: await readNext(), hasGap };
    },
  };
}
