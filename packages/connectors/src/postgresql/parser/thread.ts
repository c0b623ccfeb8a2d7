import { Worker } from 'node:worker_threads';
import type { RawParse } from './instance.ts';

/** Pending parses, by number. */
type Waiting = Map<number, (result: RawParse) => void>;
type Thread = { readonly worker: Worker; readonly waiting: Waiting };

let thread: Thread | undefined;
let count = 0;

/**
 * Parses a text in a worker thread: the parser's memory would count against the service's heap, and a long text would
 * block the main thread. The limits on the text also bound the time. The thread starts with the first text and does
 * not keep the process alive.
 */
export function parseInThread(sql: string): Promise<RawParse> {
  thread ??= start();
  const { worker, waiting } = thread;
  const id = ++count;
  return new Promise((resolve) => {
    worker.ref();
    waiting.set(id, (result) => {
      waiting.delete(id);
      if (waiting.size === 0) worker.unref();
      resolve(result);
    });
    worker.postMessage([id, sql]);
  });
}

function start(): Thread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url));
  const waiting: Waiting = new Map();
  const started = { worker, waiting };
  worker.on('message', ([id, result]: readonly [number, RawParse]) => waiting.get(id)?.(result));
  // The thread has run out of memory. The next text starts another one.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (thread === started) thread = undefined;
    for (const settle of waiting.values()) settle({ isExhausted: true });
  });
  worker.unref();
  return started;
}
