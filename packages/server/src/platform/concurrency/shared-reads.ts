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

/** Runs of one read at a time. */
const runsMax = 2;
/** A run that takes longer than this may hang: what is asked waits for its end no more. */
const patienceMs = 25;

/**
 * Makes the store of reads under way. One alone waits for nothing; those that come while one is under way share the
 * next, which begins when that has ended, or beside it after 25 ms. Nothing is kept: an answer is given to those who
 * wait for it, and forgotten.
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
    // Whoever waits takes part in one run; the work of the first to wait is that of all.
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
