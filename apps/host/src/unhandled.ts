import type { Logger } from '@svc/server';

/** Logged errors, at most: writing to a broken log throws again. */
const loggedMax = 20;

/**
 * Handles uncaught exceptions and unhandled rejections. After an uncaught exception the state is unknown, so the
 * process stops as at a signal, with exit code 1. An unhandled rejection affects one piece of work: the process
 * continues if it is serving. During the start a rejection is fatal, because a component could be missing.
 *
 * @param stop  drains and stops, in bounded time; may be called again.
 */
export function handleUnhandled(options: {
  readonly log: Pick<Logger, 'error' | 'fatal'>;
  readonly isServing: () => boolean;
  readonly stop: (exitCode: number) => void;
}): void {
  const { log, isServing, stop } = options;
  let logged = 0;
  const isLogged = (): boolean => {
    logged += 1;
    return logged <= loggedMax;
  };
  process.on('uncaughtException', (error) => {
    if (isLogged()) log.fatal({ err: error }, 'an uncaught exception stops the service');
    stop(1);
  });
  process.on('unhandledRejection', (reason) => {
    if (isServing()) {
      log.error({ err: reason }, 'a promise was rejected and nobody handled it');
      return;
    }
    if (isLogged()) log.fatal({ err: reason }, 'a rejected promise that nobody handled stops the start');
    stop(1);
  });
}
