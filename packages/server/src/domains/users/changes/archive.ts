import { statementTime } from '../../../platform/clock.ts';
import { setArchived } from '../manage-store.ts';
import type { Administrator, UsersDeps } from './dependencies.ts';
import { requireMayManage, requireOtherSuperAdmin } from './permission.ts';
import { lockExisting, recordChange } from './records.ts';

/** Creates the function that archives a user, revokes the user's keys and ends the user's sessions. */
export const createArchive =
  (deps: UsersDeps) =>
  (id: number, by: Administrator): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const user = await lockExisting(tx, id);
      requireMayManage(by, user, { touchesStanding: true });
      await requireOtherSuperAdmin(tx, user);
      await setArchived(tx, id, statementTime(deps.clock));
      const revokedKeyCount = await deps.revokeKeys(tx, id, by.caller.userId);
      await deps.endSessions(tx, id, 'UserChanged');
      await recordChange(deps.audit, tx, 'users.archived', id, by, { revokedKeyCount });
    });
