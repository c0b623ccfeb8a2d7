import { errorText } from '../errors.ts';
import { createBackoff } from './backoff.ts';
import type { JobsLogger } from './logger.ts';

/** A piece of work that is repeated, never twice at a time. */
export type Loop = {
  /** Runs it as soon as possible: now, or after the run that is under way. */
  wake(): void;
  /** Resolves when the first run ended well, rejects when it threw; the loop goes on all the same. */
  readonly firstRun: Promise<void>;
  /** Stops repeating and waits for the run that is under way. */
  stop(): Promise<void>;
};

/**
 * Repeats `work`, which returns the wait until its next run in ms (null: until it is woken). A run that throws is
 * logged and tried again after a growing wait of at least one second, in which wakes are not heard: a database that
 * is down is not asked in a hot loop.
 */
export function startLoop(
  name: string,
  logger: JobsLogger,
  work: () => Promise<number | null>,
  options: { readonly retryWaitMsMax?: number } = {},
): Loop {
  const backoff = createBackoff(options.retryWaitMsMax);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let isBackingOff = false;
  const first = Promise.withResolvers<void>();
  // Nobody need ask for it.
  first.promise.catch(() => undefined);

  const schedule = (waitMs: number) => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, Math.min(Math.ceil(waitMs), 0x7fffffff)));
  };

  const run = async () => {
    isWoken = false;
    try {
      const waitMs = await work();
      first.resolve();
      backoff.reset();
      isBackingOff = false;
      if (!isStopped && waitMs !== null && !isWoken) schedule(waitMs);
    } catch (error) {
      first.reject(error);
      const waitMs = backoff.next();
      logger.error({ loop: name, error: errorText(error), retryInMs: Math.round(waitMs) }, `${name} failed`);
      isBackingOff = true;
      if (!isStopped) schedule(waitMs);
    }
  };

  const begin = () => {
    timer = null;
    isBackingOff = false;
    if (running !== null || isStopped) return;
    running = run().finally(() => {
      running = null;
      if (isWoken && !isStopped && !isBackingOff) begin();
    });
  };

  return {
    firstRun: first.promise,
    wake: () => {
      if (isStopped || isBackingOff) return;
      isWoken = true;
      if (running !== null) return;
      if (timer) clearTimeout(timer);
      begin();
    },
    stop: async () => {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
