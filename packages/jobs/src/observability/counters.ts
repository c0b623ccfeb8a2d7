/** Upper bounds of the histogram's buckets in ms. The last bucket also counts slower calls. */
export const bucketEdgesMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

const hourMs = 3_600_000;
/**
 * Maximum number of separate groups between two flushes. Calls of further groups are counted together, so that a
 * misconfigured selector cannot exhaust the memory.
 */
const groupsMax = 10_000;
const otherGroups = '(other)';

/** Values of one call for the counters. */
export type CountedCall = {
  readonly groupName: string | null;
  readonly isFailed: boolean;
  readonly durationMs: number;
  readonly atMs: number;
};

/** Numbers of calls and their total duration in whole ms. */
export type CallSum = { success: number; failed: number; durationMs: number };

/** Counts of one endpoint since the last flush. */
export type EndpointIncrement = CallSum & {
  readonly buckets: number[];
  readonly groups: Map<string, CallSum>;
  /** Sums by start of the hour, in ms since 1970. */
  readonly hours: Map<number, CallSum>;
};

export type EndpointIncrements = ReadonlyMap<string, EndpointIncrement>;

const emptySum = (): CallSum => ({ success: 0, failed: 0, durationMs: 0 });
const emptyIncrement = (): EndpointIncrement => ({
  ...emptySum(),
  buckets: bucketEdgesMs.map(() => 0),
  groups: new Map(),
  hours: new Map(),
});

function addTo(sum: CallSum, isFailed: boolean, roundedMs: number): void {
  if (isFailed) sum.failed += 1;
  else sum.success += 1;
  sum.durationMs += roundedMs;
}

function sumAt<K>(map: Map<K, CallSum>, key: K): CallSum {
  const existingSum = map.get(key);
  if (existingSum !== undefined) return existingSum;
  const made = emptySum();
  map.set(key, made);
  return made;
}

/** Returns the bucket of a duration in whole ms. */
export function bucketOf(roundedMs: number): number {
  for (let at = 0; at < bucketEdgesMs.length; at += 1) if (roundedMs <= (bucketEdgesMs[at] ?? 0)) return at;
  return bucketEdgesMs.length - 1;
}

/** Returns the upper bound of the bucket that contains the percentile; 0 without calls. */
export function percentileMs(buckets: readonly number[], share: number): number {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 0;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [at, count] of buckets.entries()) {
    seen += count;
    if (seen >= rank) return bucketEdgesMs[at] ?? 0;
  }
  return bucketEdgesMs[bucketEdgesMs.length - 1] ?? 0;
}

/** Counts all calls in memory, including calls without a row. */
export type EndpointCounters = {
  /** Returns the counter of one endpoint. Called once, when the endpoint is mapped. */
  bind(endpoint: string): (call: CountedCall) => void;
  /** Returns the counts since the last call and resets them; null without calls. */
  take(): EndpointIncrements | null;
};

/** Counts of one endpoint. `hour` is the sum of its last call's hour, which begins at `hourMs`. */
type BoundCounter = { increment: EndpointIncrement; hourMs: number; hour: CallSum | null };

export function createEndpointCounters(): EndpointCounters {
  const bound = new Map<string, BoundCounter>();
  let groupCount = 0;

  const groupSum = (groups: Map<string, CallSum>, name: string): CallSum => {
    const existingSum = groups.get(name);
    if (existingSum) return existingSum;
    groupCount += 1;
    return sumAt(groups, groupCount <= groupsMax ? name : otherGroups);
  };

  return {
    bind: (endpoint) => {
      const cell = bound.get(endpoint) ?? { increment: emptyIncrement(), hourMs: 0, hour: null };
      bound.set(endpoint, cell);
      return ({ groupName, isFailed, durationMs, atMs }) => {
        const { increment } = cell;
        const roundedMs = Math.round(durationMs);
        addTo(increment, isFailed, roundedMs);
        const bucket = bucketOf(roundedMs);
        increment.buckets[bucket] = (increment.buckets[bucket] ?? 0) + 1;
        // Most calls have the same hour as the preceding call.
        if (cell.hour === null || !(atMs >= cell.hourMs && atMs < cell.hourMs + hourMs)) {
          cell.hourMs = atMs - (atMs % hourMs);
          cell.hour = sumAt(increment.hours, cell.hourMs);
        }
        addTo(cell.hour, isFailed, roundedMs);
        if (groupName !== null) addTo(groupSum(increment.groups, groupName), isFailed, roundedMs);
      };
    },
    take: () => {
      const taken = new Map<string, EndpointIncrement>();
      for (const [endpoint, cell] of bound) {
        if (cell.increment.success + cell.increment.failed === 0) continue;
        taken.set(endpoint, cell.increment);
        cell.increment = emptyIncrement();
        cell.hour = null;
      }
      groupCount = 0;
      return taken.size > 0 ? taken : null;
    },
  };
}
