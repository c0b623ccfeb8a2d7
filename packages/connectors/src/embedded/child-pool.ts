import { ConnectorError } from '../error.ts';
import { type Child, startChild } from './child-process.ts';
import type { ChildKind } from './messages.ts';
import { createWaitingJobs } from './waiting-jobs.ts';

export type ChildPoolOptions = {
  readonly kind: ChildKind;
  /** Concurrent children; further jobs wait. Default 4. */
  readonly max?: number;
  /** Jobs after which a child is replaced, to bound its accumulated state. Default 100. */
  readonly jobsPerChildMax?: number;
  /** Parent of the children's folders. Default: the system's temporary folder. */
  readonly temporaryParent?: string | undefined;
  /** Idle time after which a child ends. Default 60,000 ms. */
  readonly idleMs?: number;
  /** Duration of a job after which another child starts for the next job. Default 150 ms. */
  readonly spareAfterMs?: number;
};

export type ChildPool = {
  /** Returns a ready child for exclusive use. Rejects with the signal's reason. */
  readonly take: (signal: AbortSignal) => Promise<Child>;
  /** Returns a child to the pool. A child that is not clean ends. */
  readonly give: (child: Child, isClean: boolean) => void;
  /** The system prevents the children from writing, according to the last child that started. */
  readonly isConfined: () => boolean;
  readonly close: () => Promise<void>;
};

const stopping = () => new ConnectorError('engine-unavailable', 'The service is stopping.');

/**
 * Creates a pool of child processes of one kind. The first job starts the first child. While a child is busy for
 * longer than `spareAfterMs`, the next one starts, so that a job seldom waits for a start. Consecutive short jobs
 * share one child.
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
  const waiting = createWaitingJobs();
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
      (error: unknown) => waiting.rejectFirst(error),
    );
  }

  function forget(child: Child): void {
    all.delete(child);
    jobs.delete(child);
    clearTimeout(timers.get(child));
    timers.delete(child);
    const at = idle.indexOf(child);
    if (at !== -1) idle.splice(at, 1);
    if (!isClosed && waiting.size() > 0) startIfRoom();
  }

  function startIfRoom(): void {
    if (all.size < max) start();
  }

  function offer(child: Child): void {
    if (waiting.serveFirst(child)) {
      planSpare();
      return;
    }
    idle.push(child);
    clearTimeout(spare);
    spare = undefined;
    const timer = setTimeout(() => child.kill(stopping()), idleMs);
    timer.unref();
    timers.set(child, timer);
  }

  /** Starts another child after a delay, unless one becomes idle first. */
  function planSpare(): void {
    spare ??= setTimeout(() => {
      spare = undefined;
      if (waiting.size() === 0) startIfRoom();
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
    return waiting.add(signal);
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
    waiting.rejectAll(stopping());
    const ending = [...all];
    for (const child of ending) child.kill(stopping());
    await Promise.all(ending.map((child) => child.gone));
  }

  return { take, give, isConfined: () => isConfined, close };
}
