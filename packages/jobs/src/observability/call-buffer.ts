/**
 * A bounded buffer: what is added to a full one pushes out the oldest, which is counted. What was taken belongs to it
 * until it is known to be stored.
 */
export type CallBuffer<T> = {
  add(item: T): void;
  /** Takes the oldest, so many at most; once what was taken before is stored or put back. */
  take(countMax: number): T[];
  /** What was taken is stored. */
  forget(): void;
  /** Puts back what is left of what was taken, before what came since, as far as there is room. */
  putBack(items: readonly T[]): void;
  /** How many wait to be taken. */
  size(): number;
  /** How many were dropped in all. */
  dropped(): number;
};

/** Makes a ring of fixed capacity. */
export function createCallBuffer<T>(capacity: number): CallBuffer<T> {
  const ring: (T | undefined)[] = new Array(capacity);
  let first = 0;
  let count = 0;
  let takenCount = 0;
  let droppedCount = 0;

  const removeFirst = (): T | undefined => {
    const item = ring[first];
    ring[first] = undefined;
    first = (first + 1) % capacity;
    count -= 1;
    return item;
  };

  return {
    add: (item) => {
      // The newest is kept, even when as many as there is room for are on their way.
      if (count > 0 && count + takenCount >= capacity) {
        removeFirst();
        droppedCount += 1;
      }
      ring[(first + count) % capacity] = item;
      count += 1;
    },
    take: (countMax) => {
      const taken: T[] = [];
      while (count > 0 && taken.length < countMax) {
        const item = removeFirst();
        if (item !== undefined) taken.push(item);
      }
      takenCount = taken.length;
      return taken;
    },
    forget: () => {
      takenCount = 0;
    },
    putBack: (items) => {
      takenCount = 0;
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
