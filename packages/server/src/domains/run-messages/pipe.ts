/** Passes values from a writer to a reader, at the reader's pace. */
export type Pipe<T> = {
  /** Resolves when the pipe has space for more; immediately after the reader has stopped. */
  readonly push: (value: T) => Promise<void>;
  readonly end: () => void;
  /** Makes the reader fail at its next read. */
  readonly fail: (error: unknown) => void;
  /** Ends the pipe when no reader will read again. */
  readonly abandon: () => void;
  /** Can be read once. */
  readonly values: AsyncIterable<T>;
};

/** @param sizeMax  Maximum number of waiting values. */
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
