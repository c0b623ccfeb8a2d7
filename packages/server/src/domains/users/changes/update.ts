import type { User, UserInput } from '@svc/contract';
import { updateProfile } from '../manage-store.ts';
import type { Administrator, UsersDeps } from './dependencies.ts';
import { changeEnabled } from './enabled.ts';
import { requireMayManage } from './permission.ts';
import { changedProfile, profileFrom, withUniqueNames } from './profile.ts';
import { lockExisting, readUser, recordChange } from './records.ts';

/** Creates the function that changes the profile of a user, and enables or disables the user. */
export const createUpdate =
  (deps: UsersDeps) =>
  (id: number, input: UserInput, by: Administrator): Promise<User> =>
    withUniqueNames(() =>
      deps.database.transaction(async (tx) => {
        const user = await lockExisting(tx, id);
        requireMayManage(by, user, {});
        const profile = profileFrom({ userName: user.userName, ...changedProfile(user, input) });
        await updateProfile(tx, id, profile);
        await recordChange(deps.audit, tx, 'users.updated', id, by, { userName: profile.userName });
        // Saving a disabled user as disabled also revokes keys that were created in the meantime.
        const changesStanding = input.isEnabled === false || (input.isEnabled === true && !user.isEnabled);
        if (changesStanding) await changeEnabled(deps, tx, user, input.isEnabled === true, by);
        return readUser(tx, id);
      }),
    );
