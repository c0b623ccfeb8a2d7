/** Upper edges of the histogram's buckets in ms; what is slower is counted in the last. */
export const bucketEdgesMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

const hourMs = 3_600_000;
/** Groups told apart between two flushes; the rest is counted together, so that a bad selector cannot fill the memory. */
const groupsMax = 10_000;
const otherGroups = '(other)';

/** One call as it is counted. */
export type CountedCall = {
  readonly endpoint: string;
  readonly groupName: string | null;
  readonly isFailed: boolean;
  readonly durationMs: number;
  readonly atMs: number;
};

/** Calls and their summed duration. */
export type CallSum = { success: number; failed: number; durationMs: number };

/** Increments since the last flush. */
export type EndpointIncrements = {
  readonly endpoints: Map<string, CallSum & { readonly buckets: number[] }>;
  /** By endpoint, then group. */
  readonly groups: Map<string, Map<string, CallSum>>;
  /** By endpoint, then the hour's beginning in ms. */
  readonly hours: Map<string, Map<number, CallSum>>;
};

const emptySum = (): CallSum => ({ success: 0, failed: 0, durationMs: 0 });

function addTo(sum: CallSum, other: CallSum): void {
  sum.success += other.success;
  sum.failed += other.failed;
  sum.durationMs += other.durationMs;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const emptyIncrements = (): EndpointIncrements => ({
  endpoints: new Map(),
  groups: new Map(),
  hours: new Map(),
});
const emptyEndpoint = () => ({ ...emptySum(), buckets: bucketEdgesMs.map(() => 0) });

/** The bucket of a duration in whole ms. */
export function bucketOf(roundedMs: number): number {
  const at = bucketEdgesMs.findIndex((edge) => roundedMs <= edge);
  return at < 0 ? bucketEdgesMs.length - 1 : at;
}

/** The upper edge of the bucket that holds the rank; 0 without calls. */
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

/** Counts every call in memory, whatever becomes of its row. */
export type EndpointCounters = {
  add(call: CountedCall): void;
  /** Takes what was counted since the last time; null when nothing was. */
  take(): EndpointIncrements | null;
  /** Gives back what could not be stored. */
  giveBack(increments: EndpointIncrements): void;
};

/** Sets up the counters. */
export function createEndpointCounters(): EndpointCounters {
  let now = emptyIncrements();
  let groupCount = 0;

  const addSum = (sum: CallSum, endpoint: string, groupName: string | null, hour: number) => {
    addTo(
      getOrMake(
        getOrMake(now.hours, endpoint, () => new Map<number, CallSum>()),
        hour,
        emptySum,
      ),
      sum,
    );
    if (groupName === null) return;
    const groups = getOrMake(now.groups, endpoint, () => new Map<string, CallSum>());
    const isKnown = groups.has(groupName);
    if (!isKnown) groupCount += 1;
    addTo(getOrMake(groups, isKnown || groupCount <= groupsMax ? groupName : otherGroups, emptySum), sum);
  };

  return {
    add: (call) => {
      const roundedMs = Math.round(call.durationMs);
      const sum = {
        success: call.isFailed ? 0 : 1,
        failed: call.isFailed ? 1 : 0,
        durationMs: roundedMs,
      };
      const total = getOrMake(now.endpoints, call.endpoint, emptyEndpoint);
      addTo(total, sum);
      const bucket = bucketOf(roundedMs);
      total.buckets[bucket] = (total.buckets[bucket] ?? 0) + 1;
      addSum(sum, call.endpoint, call.groupName, Math.floor(call.atMs / hourMs) * hourMs);
    },
    take: () => {
      if (now.endpoints.size === 0) return null;
      const taken = now;
      now = emptyIncrements();
      groupCount = 0;
      return taken;
    },
    giveBack: (increments) => {
      for (const [endpoint, sum] of increments.endpoints) {
        const total = getOrMake(now.endpoints, endpoint, emptyEndpoint);
        addTo(total, sum);
        for (const [at, count] of sum.buckets.entries()) total.buckets[at] = (total.buckets[at] ?? 0) + count;
      }
      for (const [endpoint, groups] of increments.groups) {
        const mine = getOrMake(now.groups, endpoint, () => new Map<string, CallSum>());
        for (const [name, sum] of groups) addTo(getOrMake(mine, name, emptySum), sum);
      }
      for (const [endpoint, hours] of increments.hours) {
        const mine = getOrMake(now.hours, endpoint, () => new Map<number, CallSum>());
        for (const [hour, sum] of hours) addTo(getOrMake(mine, hour, emptySum), sum);
      }
    },
  };
}
