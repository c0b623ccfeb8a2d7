import type { RoleName, User } from '@svc/contract';
import { deleteRoles, renewStamp } from '../manage-store.ts';
import { insertRoles } from '../store.ts';
import type { Administrator, UsersDeps } from './dependencies.ts';
import { requireMayManage } from './permission.ts';
import { lockExisting, readUser, recordChange } from './records.ts';

/** Creates the function that replaces the granted roles of a user. A change ends the sessions of the user. */
export const createSetRoles =
  ({ database, audit }: UsersDeps) =>
  (id: number, grantedRoles: readonly RoleName[], by: Administrator): Promise<User> =>
    database.transaction(async (tx) => {
      const user = await lockExisting(tx, id);
      requireMayManage(by, user, { grants: grantedRoles, touchesStanding: true });
      await deleteRoles(tx, id, 'Granted', grantedRoles);
      await insertRoles(tx, id, grantedRoles, { source: 'Granted', byUserId: by.caller.userId });
      const isSame =
        grantedRoles.length === user.grantedRoles.length &&
        grantedRoles.every((role) => user.grantedRoles.includes(role));
      if (!isSame) {
        await renewStamp(tx, id);
        const detail = { from: user.grantedRoles, to: grantedRoles };
        await recordChange(audit, tx, 'users.roles_changed', id, by, detail);
      }
      return readUser(tx, id);
    });
