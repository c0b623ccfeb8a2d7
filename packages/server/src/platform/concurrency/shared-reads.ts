/** Deduplicates concurrent reads. */
export type SharedReads = {
  /**
   * Runs `work`, or shares a run that has not begun yet. The result was always read after the call.
   *
   * @param key Identifies the read, including its values. Concurrent callers with the same key get the same result.
   */
  readonly read: <T>(key: string, work: () => Promise<T>) => Promise<T>;
};

type Lane = {
  running: number;
  next: { readonly begin: () => void; readonly answer: Promise<unknown> } | undefined;
};

/** Maximum number of concurrent runs of one read. */
const runsMax = 2;
/** Time after which a run may be hanging. Later callers no longer wait for its end. */
const patienceMs = 25;

/**
 * Creates the register of running reads. A single read starts immediately. Reads that arrive during a run share the
 * next run. It begins when the current run ends, or in parallel to it after 25 ms. No result is cached.
 */
export function createSharedReads(): SharedReads {
  const lanes = new Map<string, Lane>();

  async function run<T>(key: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    lane.running += 1;
    try {
      return await work();
    } finally {
      lane.running -= 1;
      const { next } = lane;
      if (next) next.begin();
      else if (lane.running === 0) lanes.delete(key);
    }
  }

  function waitInLane<T>(key: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(timer);
      lane.next = undefined;
      turn.resolve();
    };
    const timer = lane.running < runsMax ? setTimeout(begin, patienceMs) : undefined;
    // All waiting callers share one run. It executes the work of the first of them.
    const answer = turn.promise.then(() => run(key, lane, work));
    lane.next = { begin, answer };
    return answer;
  }

  return {
    read: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const lane = lanes.get(key) ?? { running: 0, next: undefined };
      lanes.set(key, lane);
      if (lane.next) return lane.next.answer as Promise<T>;
      return lane.running === 0 ? run(key, lane, work) : waitInLane(key, lane, work);
    },
  };
}
