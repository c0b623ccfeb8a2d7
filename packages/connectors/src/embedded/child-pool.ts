import { ConnectorError } from '../error.ts';
import { type Child, startChild } from './child-process.ts';
import type { ChildKind } from './messages.ts';

export type ChildPoolOptions = {
  readonly kind: ChildKind;
  /** Children at once; further jobs wait. Default 4. */
  readonly max?: number;
  /** A child is replaced after so many jobs, whatever it may have gathered. Default 100. */
  readonly jobsPerChildMax?: number;
  /** Where children have their folders. Default: the system's temporary folder. */
  readonly temporaryParent?: string | undefined;
  /** An idle child is ended after this long. Default 60,000 ms. */
  readonly idleMs?: number;
  /** A job that takes longer has another child started for the next one. Default 150 ms. */
  readonly spareAfterMs?: number;
};

export type ChildPool = {
  /** A child that is ready and serves no one else. Rejects with the signal's reason. */
  readonly take: (signal: AbortSignal) => Promise<Child>;
  /** Gives a child back; one that is not clean is ended. */
  readonly give: (child: Child, isClean: boolean) => void;
  /** The system keeps the children from writing, as the last one that started has measured. */
  readonly isConfined: () => boolean;
  readonly close: () => Promise<void>;
};

const stopping = () => new ConnectorError('engine-unavailable', 'The service is stopping.');

/**
 * Child processes of one kind. The first job starts the first one. While one is busy for longer than a moment the next is
 * warmed up, so that a job seldom waits for a start; short jobs one after the other share one child.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const {
    kind,
    max = 4,
    temporaryParent,
    jobsPerChildMax = 100,
    idleMs = 60_000,
    spareAfterMs = 150,
  } = options;
  const all = new Set<Child>();
  const idle: Child[] = [];
  const jobs = new Map<Child, number>();
  const timers = new Map<Child, NodeJS.Timeout>();
  const waiting: { resolve: (child: Child) => void; reject: (error: unknown) => void }[] = [];
  let isClosed = false;
  let isConfined = false;
  let spare: NodeJS.Timeout | undefined;

  function start(): void {
    const child = startChild(kind, temporaryParent);
    all.add(child);
    void child.gone.then(() => forget(child));
    child.receive().then(
      () => {
        isConfined = child.isConfined();
        offer(child);
      },
      (error: unknown) => waiting.shift()?.reject(error),
    );
  }

  function forget(child: Child): void {
    all.delete(child);
    jobs.delete(child);
    clearTimeout(timers.get(child));
    timers.delete(child);
    const at = idle.indexOf(child);
    if (at !== -1) idle.splice(at, 1);
    if (!isClosed && waiting.length > 0) startIfRoom();
  }

  function startIfRoom(): void {
    if (all.size < max) start();
  }

  function offer(child: Child): void {
    const next = waiting.shift();
    if (next) {
      next.resolve(child);
      return;
    }
    idle.push(child);
    clearTimeout(spare);
    spare = undefined;
    const timer = setTimeout(() => child.kill(stopping()), idleMs);
    timer.unref();
    timers.set(child, timer);
  }

  /** Starts another child unless one is idle before. */
  function planSpare(): void {
    spare ??= setTimeout(() => {
      spare = undefined;
      if (waiting.length === 0) startIfRoom();
    }, spareAfterMs).unref();
  }

  function takeIdle(): Child | undefined {
    const child = idle.pop();
    if (!child) return undefined;
    clearTimeout(timers.get(child));
    timers.delete(child);
    return child.isAlive() ? child : takeIdle();
  }

  async function take(signal: AbortSignal): Promise<Child> {
    if (isClosed) throw stopping();
    signal.throwIfAborted();
    const child = takeIdle();
    if (child) {
      planSpare();
      return child;
    }
    startIfRoom();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal.reason);
      };
      const settle = () => signal.removeEventListener('abort', onAbort);
      const entry = {
        resolve: (taken: Child) => {
          settle();
          planSpare();
          resolve(taken);
        },
        reject: (error: unknown) => {
          settle();
          reject(error);
        },
      };
      waiting.push(entry);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  function give(child: Child, isClean: boolean): void {
    const done = (jobs.get(child) ?? 0) + 1;
    jobs.set(child, done);
    if (isClean && !isClosed && child.isAlive() && done < jobsPerChildMax) offer(child);
    else child.kill(stopping());
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(spare);
    for (const entry of waiting.splice(0)) entry.reject(stopping());
    const ending = [...all];
    for (const child of ending) child.kill(stopping());
    await Promise.all(ending.map((child) => child.gone));
  }

  return { take, give, isConfined: () => isConfined, close };
}
