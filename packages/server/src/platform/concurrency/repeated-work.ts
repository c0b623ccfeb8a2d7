/** Work that a timer of this process repeats: it depends on no job engine. */
export type RepeatedWork = {
  /** Starts the first turn immediately. A second call does nothing. */
  readonly start: () => void;
  /** Starts no further turn, and waits for the one that runs. */
  readonly close: () => Promise<void>;
  /** Returns whether a turn succeeded within the last `ms`. */
  readonly hasSucceededWithin: (ms: number) => boolean;
};

export type RepeatOptions = {
  /** Pause between two turns. */
  readonly everyMs: number;
  /** Time after which the signal of a turn is aborted. Each step of the work needs a deadline of its own. */
  readonly timeoutMs: number;
  /** One turn. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Receives the error of a turn that failed. The next turn follows. */
  readonly onError: (error: unknown) => void;
};

/** Repeats work by a timer. Turns never overlap. */
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
