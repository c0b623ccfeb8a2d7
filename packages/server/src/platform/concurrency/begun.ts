/**
 * Waits for the first item and returns the sequence with it, so that a failure before the first item can still be
 * answered with a status. The caller must walk the result or abort its source.
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
