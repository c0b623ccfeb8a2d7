import { type FailedAttempt, requireUsableDatabase, whileDatabaseAway } from '@svc/server/operations';
import type pg from 'pg';

/** Reports a failed attempt of a start and the wait before the next one, in one line. */
export const sayWait =
  (say: (line: string) => void) =>
  ({ attempt, error, retryInMs }: FailedAttempt): void => {
    const reason = error instanceof Error ? error.message : String(error);
    const seconds = (retryInMs / 1_000).toFixed(1);
    say(`PostgreSQL is unavailable (attempt ${attempt}): ${reason}. Next attempt in ${seconds} s ...`);
  };

/**
 * Waits up to 60 s until an external database responds, and checks the requirements of a start.
 *
 * @throws Error that lists each fault with its remedy; the error of PostgreSQL for a wrong password, a missing
 * database, or a server that stays unavailable.
 */
export const requireExternalDatabase = (
  connection: pg.ClientConfig,
  say: (line: string) => void,
): Promise<void> => whileDatabaseAway(() => requireUsableDatabase(connection), { onWait: sayWait(say) });
