/**
 * Waits for the first item and returns the full sequence. A failure before the first item can thus still become an
 * HTTP status. The caller must iterate the result or abort its source.
 */
export async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return restOf(iterator, first);
}

async function* restOf<T>(iterator: AsyncIterator<T>, first: IteratorResult<T>): AsyncGenerator<T> {
  let step = first;
  try {
    while (!step.done) {
      yield step.value;
      step = await iterator.next();
    }
  } finally {
    if (!step.done) await iterator.return?.();
  }
}
