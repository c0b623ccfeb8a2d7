/** Queue of rows between a driver that pushes and a caller that pulls. The driver is paused while a batch is waiting. */
export type RowQueue = {
  readonly push: (row: readonly unknown[]) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Returns the next rows; undefined after the last. Rejects with the error of `fail`. */
  readonly take: () => Promise<(readonly unknown[])[] | undefined>;
};

const batchRowsMax = 2_000;
const batchBytesWanted = 512 * 1024;

export function createRowQueue(source: {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Bytes that the driver has received so far. They determine the size of batches. */
  readonly receivedBytes: () => number;
}): RowQueue {
  let rows: (readonly unknown[])[] = [];
  let bytesAtStart = 0;
  let isPaused = false;
  let isEnded = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;

  const isFull = () =>
    rows.length >= batchRowsMax || source.receivedBytes() - bytesAtStart >= batchBytesWanted;

  function notify(): void {
    wake?.();
    wake = undefined;
  }

  function push(row: readonly unknown[]): void {
    rows.push(row);
    if (isPaused || !isFull()) return;
    isPaused = true;
    source.pause();
    notify();
  }

  function end(): void {
    isEnded = true;
    notify();
  }

  function fail(error: unknown): void {
    failure ??= { error };
    notify();
  }

  async function take(): Promise<(readonly unknown[])[] | undefined> {
    while (!failure && !isEnded && !isPaused) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure) throw failure.error;
    if (rows.length === 0 && isEnded) return undefined;
    const batch = rows;
    rows = [];
    bytesAtStart = source.receivedBytes();
    if (isPaused) {
      isPaused = false;
      source.resume();
    }
    return batch;
  }

  return { push, end, fail, take };
}
