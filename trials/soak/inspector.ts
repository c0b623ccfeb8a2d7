/** Memory of a process in bytes: resident, objects of JavaScript, and buffers outside the heap of JavaScript. */
export type Memory = { readonly rss: number; readonly heapUsed: number; readonly arrayBuffers: number };

/** Connection to the inspector of a Node process. */
export type Inspector = {
  /** Collects garbage and measures the memory of the process. */
  readonly measure: () => Promise<Memory>;
  readonly close: () => void;
};

type Answer = { readonly id: number; readonly result: { readonly result?: { readonly value?: unknown } } };

/** @param url  Address that the process prints after the signal SIGUSR1. */
export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`No inspector answers at ${url}.`)));
  await opened.promise;
  const pending = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    // An answer of the inspector protocol.
    const answer = JSON.parse(String(data)) as Answer;
    pending.get(answer.id)?.(answer);
    pending.delete(answer.id);
  });
  let sent = 0;
  const call = (method: string, params: object = {}): Promise<Answer> => {
    sent += 1;
    const id = sent;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => pending.set(id, resolve));
  };
  return {
    measure: async () => {
      // The second collection frees objects whose finalizers the first one ran.
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const answer = await call('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' });
      return JSON.parse(String(answer.result.result?.value));
    },
    close: () => socket.close(),
  };
}
