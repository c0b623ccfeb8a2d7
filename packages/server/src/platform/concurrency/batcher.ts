/** Combines many small work items into few calls. */
export type Batcher<In, Out> = { readonly put: (item: In) => Promise<Out> };

type Waiting<In, Out> = {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
};

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Call limits of a batcher. */
export type BatcherLimits = {
  /** Maximum number of items in one call. */
  readonly sizeMax: number;
  /**
   * Maximum number of concurrent calls. Default 1. With two, a new item need not wait for the end of an earlier
   * call.
   */
  readonly callsMax?: number;
  /**
   * Time in milliseconds that an item waits for a running call before another call begins. Default 0. A larger
   * value makes calls sequential and larger, unless one hangs.
   */
  readonly patienceMs?: number;
  /**
   * Minimum time in milliseconds between the starts of two calls. Default 0. An item after a pause does not wait; a
   * stream of items is limited to this rate.
   */
  readonly spacingMs?: number;
};

/**
 * Collects items while calls are running and processes them in the next call. A single item does not wait.
 * Concurrent items share a call. The small number of concurrent calls lets batches grow when the callee is slow.
 *
 * @param work Returns results in the order of the items. When it rejects, every item of the call rejects.
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
      // Items from the same turn, or from the time before the next call may begin, share one call.
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
        // The call that is about to begin includes this item.
        if (working >= callsMax || isBeginning) return;
        if (working === 0 || patienceMs === 0) void drain();
        else besides ??= setTimeout(beginBeside, patienceMs);
      }),
  };
}
