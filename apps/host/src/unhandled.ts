import type { Logger } from '@svc/server';

/** Exceptions that are logged at most: a log that cannot be written to throws itself. */
const loggedMax = 20;

/**
 * What becomes of errors that nobody handled. An uncaught exception leaves nobody knows what behind: the process stops
 * as it does at a signal, with exit code 1. A rejection that nobody waited for concerns one piece of work: it is survived
 * while the process serves, and fatal while it starts, since nobody could say what is missing then.
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
