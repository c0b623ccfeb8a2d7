/** Turns for work that may run at once only so often. */
export type Slots = {
  /** Resolves with the function that gives the turn back. Rejects with the signal's reason when it aborts first. */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
};

/** Makes slots: first come, first served. */
export function createSlots(max: number): Slots {
  let taken = 0;
  const waiting = new Set<() => void>();

  const giveBack = () => {
    const [next] = waiting;
    if (!next) {
      taken -= 1;
      return;
    }
    // The turn goes straight to the one who waits longest.
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
      if (taken < max) {
        taken += 1;
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
