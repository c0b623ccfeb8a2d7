import type { Administrator, UsersDeps } from './dependencies.ts';
import { lockExisting, recordChange } from './records.ts';

/** Creates the function that ends all sessions of a user. */
export const createSignOutEverywhere =
  ({ database, audit, endSessions }: UsersDeps) =>
  (id: number, by: Administrator): Promise<void> =>
    database.transaction(async (tx) => {
      await lockExisting(tx, id);
      await endSessions(tx, id, 'SignedOutEverywhere');
      await recordChange(audit, tx, 'auth.signed_out_everywhere', id, by, {});
    });
