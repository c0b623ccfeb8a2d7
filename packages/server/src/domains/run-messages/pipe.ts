/** Hands values from who has them to who reads them, at the reader's pace. */
export type Pipe<T> = {
  /** Resolves when there is room for more; at once where nobody reads any more. */
  readonly push: (value: T) => Promise<void>;
  readonly end: () => void;
  /** Has the reader fail once it comes for more. */
  readonly fail: (error: unknown) => void;
  /** Nobody reads any more, or ever will. */
  readonly abandon: () => void;
  /** Can be walked once. */
  readonly values: AsyncIterable<T>;
};

/** @param sizeMax  Values that wait at most. */
export function createPipe<T>(sizeMax: number): Pipe<T> {
  const waiting: T[] = [];
  let state: { readonly kind: 'open' | 'ended' } | { readonly kind: 'failed'; readonly error: unknown } = {
    kind: 'open',
  };
  let isRead = true;
  let wakeReader = (): void => undefined;
  let wakeWriter = (): void => undefined;

  async function* read(): AsyncGenerator<T> {
    try {
      for (;;) {
        if (state.kind === 'failed') throw state.error;
        const value = waiting.shift();
        if (value !== undefined) {
          wakeWriter();
          yield value;
        } else if (state.kind === 'ended') return;
        else
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
      }
    } finally {
      abandon();
    }
  }

  const abandon = (): void => {
    isRead = false;
    wakeWriter();
  };

  return {
    push: async (value) => {
      if (!isRead) return;
      waiting.push(value);
      wakeReader();
      while (isRead && waiting.length >= sizeMax)
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
    },
    end: () => {
      state = { kind: 'ended' };
      wakeReader();
    },
    fail: (error) => {
      state = { kind: 'failed', error };
      wakeReader();
    },
    abandon,
    values: read(),
  };
}
