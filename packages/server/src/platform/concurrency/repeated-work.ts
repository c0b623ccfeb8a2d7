/** Work that a timer of this process repeats, without the job engine. */
export type RepeatedWork = {
  /** Starts the first turn immediately. A second call has no effect. */
  readonly start: () => void;
  /** Starts no further turn and waits for the running one. */
  readonly close: () => Promise<void>;
  /** Returns true if a turn succeeded within the last `ms`. */
  readonly hasSucceededWithin: (ms: number) => boolean;
};

export type RepeatOptions = {
  /** Pause between two turns. */
  readonly everyMs: number;
  /** Time after which the signal of a turn is aborted. Each step of the work needs its own deadline. */
  readonly timeoutMs: number;
  /** Performs one turn. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Receives the error of a failed turn. The next turn still follows. */
  readonly onError: (error: unknown) => void;
};

/** Repeats work on a timer. Turns never overlap. */
export function repeatWork({ everyMs, timeoutMs, work, onError }: RepeatOptions): RepeatedWork {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  let isStarted = false;
  let succeededAtMs = Number.NEGATIVE_INFINITY;

  const takeTurn = async (): Promise<void> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      await work(signal);
      if (!signal.aborted) succeededAtMs = performance.now();
    } catch (error) {
      if (!closing.signal.aborted) onError(error);
    }
    if (!closing.signal.aborted) timer = setTimeout(begin, everyMs).unref();
  };
  const begin = (): void => {
    turn = takeTurn();
  };

  return {
    start: () => {
      if (isStarted || closing.signal.aborted) return;
      isStarted = true;
      begin();
    },
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await turn;
    },
    hasSucceededWithin: (ms) => performance.now() - succeededAtMs <= ms,
  };
}
