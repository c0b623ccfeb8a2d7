/** Does many small pieces of work in few calls. */
export type Batcher<In, Out> = { readonly put: (item: In) => Promise<Out> };

type Waiting<In, Out> = {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
};

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Bounds of the calls of a batcher. */
export type BatcherLimits = {
  /** Items of one call at most. */
  readonly sizeMax: number;
  /**
   * Calls at a time. Default 1. With two, what comes in need not wait for the end of a call that began before it.
   */
  readonly callsMax?: number;
  /**
   * Milliseconds that an item waits for the end of a call under way before a further call begins beside it. Default 0.
   * With some, calls go one after the other and hold more, as long as none of them hangs.
   */
  readonly patienceMs?: number;
  /**
   * Milliseconds from the beginning of one call to that of the next, at least. Default 0. An item that comes after a
   * pause still waits for nothing; a stream of them makes so many calls a second at most.
   */
  readonly spacingMs?: number;
};

/**
 * Gathers what comes in while calls are under way, and does it in the next one: a single item waits for nothing, many
 * at once share a call. So few calls at a time that a batch grows as far as the callee is slow.
 *
 * @param work  Answers in the order of the items. When it rejects, every item of the call does.
 */
export function createBatcher<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  { sizeMax, callsMax = 1, patienceMs = 0, spacingMs = 0 }: BatcherLimits,
): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let working = 0;
  let isBeginning = false;
  let nextAtMs = 0;
  let besides: NodeJS.Timeout | undefined;

  const workOn = async (batch: readonly Waiting<In, Out>[]): Promise<void> => {
    try {
      const outs = await work(batch.map(({ item }) => item));
      if (outs.length !== batch.length)
        throw new Error('A batch was answered with another number of results.');
      for (const [index, { resolve }] of batch.entries()) resolve(outs[index] as Out);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    working += 1;
    while (waiting.length > 0 && !isBeginning) {
      // What is put in the same turn, or until the next call may begin, goes together.
      isBeginning = true;
      clearTimeout(besides);
      besides = undefined;
      const restMs = spacingMs === 0 ? 0 : nextAtMs - performance.now();
      await (restMs > 0 ? pause(restMs) : Promise.resolve());
      isBeginning = false;
      nextAtMs = spacingMs === 0 ? 0 : performance.now() + spacingMs;
      const batch = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      await workOn(batch);
    }
    working -= 1;
  };

  const beginBeside = (): void => {
    besides = undefined;
    if (working < callsMax && !isBeginning) void drain();
  };

  return {
    put: (item) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // The one that is about to begin takes it up.
        if (working >= callsMax || isBeginning) return;
        if (working === 0 || patienceMs === 0) void drain();
        else besides ??= setTimeout(beginBeside, patienceMs);
      }),
  };
}
