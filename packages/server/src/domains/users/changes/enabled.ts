import type { User } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { setEnabled } from '../manage-store.ts';
import type { StoredUser } from '../store.ts';
import type { Administrator, UsersDeps } from './dependencies.ts';
import { requireMayManage, requireOtherSuperAdmin } from './permission.ts';
import { lockExisting, readUser, recordChange } from './records.ts';

/** Enables or disables a user in this transaction, with the effects on keys and sessions. */
export async function changeEnabled(
  deps: Pick<UsersDeps, 'audit' | 'revokeKeys' | 'suspendSessions'>,
  tx: Tx,
  user: StoredUser,
  isEnabled: boolean,
  by: Administrator,
): Promise<void> {
  requireMayManage(by, user, { touchesStanding: true });
  if (!isEnabled) await requireOtherSuperAdmin(tx, user);
  await setEnabled(tx, user.id, isEnabled);
  if (!isEnabled) await deps.suspendSessions(tx, user.id);
  const revokedKeyCount = await deps.revokeKeys(tx, user.id, by.caller.userId);
  const event = isEnabled ? 'users.enabled' : 'users.disabled';
  await recordChange(deps.audit, tx, event, user.id, by, { revokedKeyCount });
}

/** Creates the function that disables an enabled user, and enables a disabled one. */
export const createToggleEnabled =
  (deps: UsersDeps) =>
  (id: number, by: Administrator): Promise<User> =>
    deps.database.transaction(async (tx) => {
      const user = await lockExisting(tx, id);
      await changeEnabled(deps, tx, user, !user.isEnabled, by);
      return readUser(tx, id);
    });
