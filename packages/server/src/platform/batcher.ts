/** Does many small pieces of work in few calls. */
export type Batcher<In, Out> = { readonly put: (item: In) => Promise<Out> };

type Waiting<In, Out> = {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gathers what comes in while calls are under way, and does it in the next one: a single item waits for nothing, many
 * at once share a call. So few calls at a time that a batch grows as far as the callee is slow.
 *
 * @param work  Answers in the order of the items. When it rejects, every item of the call does.
 * @param sizeMax  Items of one call at most.
 * @param callsMax  Calls at a time. With two, what comes in need not wait for the end of a call that began before it.
 */
export function createBatcher<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  sizeMax: number,
  callsMax = 1,
): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let working = 0;
  let isBeginning = false;

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
    // What is put in the same turn goes together.
    isBeginning = true;
    await Promise.resolve();
    isBeginning = false;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      await workOn(batch);
    }
    working -= 1;
  };

  return {
    put: (item) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Those that have just begun take up what comes in the same turn.
        if (working < callsMax && !isBeginning) void drain();
      }),
  };
}
