/** Does many small pieces of work in few calls. */
export type Batcher<In, Out> = { readonly put: (item: In) => Promise<Out> };

type Waiting<In, Out> = {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gathers what comes in while a call is under way, and does it in the next one: a single item waits for nothing, many
 * at once share a call. One call at a time, so that a batch grows exactly as far as the callee is slow.
 *
 * @param work  Answers in the order of the items. When it rejects, every item of the call does.
 * @param sizeMax  Items of one call at most.
 */
export function createBatcher<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  sizeMax: number,
): Batcher<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let isWorking = false;

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
    isWorking = true;
    // What is put in the same turn goes together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      await workOn(batch);
    }
    isWorking = false;
  };

  return {
    put: (item) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!isWorking) void drain();
      }),
  };
}
