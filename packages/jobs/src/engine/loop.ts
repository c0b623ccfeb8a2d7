import { errorText } from '../errors.ts';
import { createBackoff } from './backoff.ts';
import type { JobsLogger } from './logger.ts';

/** Repeated work. Runs never overlap. */
export type Loop = {
  /** Runs the work immediately, or after the current run. No effect during a backoff delay. */
  wake(): void;
  /** Resolves when the first run succeeds, rejects when it throws. The loop continues in both cases. */
  readonly firstRun: Promise<void>;
  /** Stops the loop and waits for the current run. */
  stop(): Promise<void>;
};

/**
 * Repeats `work`, which returns the delay until its next run in ms (null: until a wake). A run that throws is logged
 * and retried after a growing delay of at least one second. Wakes during that delay have no effect, so an unavailable
 * database receives no rapid retries.
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
  // Prevents an unhandled rejection when no caller uses `firstRun`.
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
