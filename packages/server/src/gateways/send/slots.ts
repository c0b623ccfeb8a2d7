/** Limits the number of concurrent tasks. */
export type Slots = {
  /** Resolves with the function that releases the slot. Rejects with the signal's reason if it aborts first. */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
};

/** Creates slots. Waiting tasks get them in the order of their requests. */
export function createSlots(max: number): Slots {
  let usedCount = 0;
  const waiting = new Set<() => void>();

  const giveBack = () => {
    const [next] = waiting;
    if (!next) {
      usedCount -= 1;
      return;
    }
    // The slot passes directly to the longest waiting task.
    waiting.delete(next);
    next();
  };
  const once = () => {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      giveBack();
    };
  };

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (usedCount < max) {
        usedCount += 1;
        return once();
      }
      const turn = Promise.withResolvers<void>();
      const onAbort = () => {
        waiting.delete(turn.resolve);
        turn.reject(signal.reason);
      };
      waiting.add(turn.resolve);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
      return once();
    },
  };
}
