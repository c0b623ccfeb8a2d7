/** Reads that several ask for in the same moment. */
export type SharedReads = {
  /**
   * Runs `work`, or shares a run of it that has not begun yet: what is answered was always read after it was asked for.
   *
   * @param key  Says what is read, values included. Whoever asks with the same key is given the same answer.
   */
  readonly read: <T>(key: string, work: () => Promise<T>) => Promise<T>;
};

type Lane = {
  running: number;
  next: { readonly begin: () => void; readonly answer: Promise<unknown> } | undefined;
};

/** Runs of one read at a time: with two, what is asked need not wait for the end of a run that began before. */
const runsMax = 2;

/**
 * Makes the store of reads under way. One alone waits for nothing; of many at once, those that come while two are under
 * way share the next. Nothing is kept: an answer is given to those who wait for it, and forgotten.
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
      lane.next = undefined;
      if (next) next.begin();
      else if (lane.running === 0) lanes.delete(key);
    }
  }

  function waitInLane<T>(key: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>();
    // Whoever waits takes part in one run; the work of the first to wait is that of all.
    const answer = turn.promise.then(() => run(key, lane, work));
    lane.next = { begin: turn.resolve, answer };
    return answer;
  }

  return {
    read: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const lane = lanes.get(key) ?? { running: 0, next: undefined };
      lanes.set(key, lane);
      if (lane.next) return lane.next.answer as Promise<T>;
      return lane.running < runsMax ? run(key, lane, work) : waitInLane(key, lane, work);
    },
  };
}
