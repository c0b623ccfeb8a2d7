/** A bounded buffer: what is added to a full one pushes out the oldest, which is counted. */
export type CallBuffer<T> = {
  add(item: T): void;
  /** Takes the oldest, so many at most. */
  take(countMax: number): T[];
  /** Puts back what was taken, before what came since, as far as there is room. */
  putBack(items: readonly T[]): void;
  size(): number;
  /** How many were dropped in all. */
  dropped(): number;
};

/** Makes a ring of fixed capacity. */
export function createCallBuffer<T>(capacity: number): CallBuffer<T> {
  const ring: (T | undefined)[] = new Array(capacity);
  let first = 0;
  let count = 0;
  let droppedCount = 0;

  return {
    add: (item) => {
      if (count === capacity) {
        ring[first] = item;
        first = (first + 1) % capacity;
        droppedCount += 1;
        return;
      }
      ring[(first + count) % capacity] = item;
      count += 1;
    },
    take: (countMax) => {
      const taken: T[] = [];
      while (count > 0 && taken.length < countMax) {
        const item = ring[first];
        ring[first] = undefined;
        first = (first + 1) % capacity;
        count -= 1;
        if (item !== undefined) taken.push(item);
      }
      return taken;
    },
    putBack: (items) => {
      const kept = items.slice(Math.max(0, items.length - (capacity - count)));
      droppedCount += items.length - kept.length;
      for (const item of kept.toReversed()) {
        first = (first - 1 + capacity) % capacity;
        ring[first] = item;
        count += 1;
      }
    },
    size: () => count,
    dropped: () => droppedCount,
  };
}
