import { type Caller, holds, isAdmin } from '../../../platform/access/index.ts';
import { statementTime } from '../../../platform/clock.ts';
import { forbidden, notFound } from '../../../platform/http/index.ts';
import { rightsOf } from '../../users/index.ts';
import { mayRevokeKeyOf } from '../access.ts';
import { findKey, revokeKey } from '../store.ts';
import type { CreateKeyDeps, KeyActor } from './create.ts';

type RevokeDeps = Pick<CreateKeyDeps, 'database' | 'clock' | 'audit'>;

/** Creates the function that revokes a key of the caller. */
export const createRevokeOwn =
  ({ database, clock, audit }: RevokeDeps) =>
  (id: number, actor: KeyActor): Promise<void> =>
    database.transaction(async (tx) => {
      const key = await findKey(tx, id, null, { forUpdate: true });
      if (!key || key.ownerUserId === null || key.ownerUserId !== actor.caller.userId) throw notFound();
      const revocation = { byUserId: actor.caller.userId, at: statementTime(clock) };
      if (!(await revokeKey(tx, id, revocation))) return;
      await audit.record(tx, {
        event: 'keys.api_key_revoked',
        by: actor,
        subject: { kind: 'api_key', id },
      });
    });

/** Creates the function that revokes a key of any user, by an administrator. */
export const createRevokeAny =
  ({ database, clock, audit }: RevokeDeps) =>
  (id: number, actor: KeyActor): Promise<void> =>
    database.transaction(async (tx) => {
      const key = await findKey(tx, id, null, { forUpdate: true });
      if (!key) throw notFound();
      const owner =
        key.ownerUserId === null
          ? null
          : rightsOf(key.ownerRoles?.split(',') ?? [], key.ownerIsSuperAdmin ?? false);
      if (!mayRevokeKeyOf(administratorOf(actor.caller), owner))
        throw forbidden(
          'admin-required',
          'Only an Admin may revoke keys of Admins, super admins and holders of functional permissions.',
        );
      const revocation = { byUserId: actor.caller.userId, at: statementTime(clock) };
      if (!(await revokeKey(tx, id, revocation))) return;
      await audit.record(tx, {
        event: 'keys.api_key_revoked_by_administrator',
        by: actor,
        subject: { kind: 'api_key', id },
        detail: { ownerUserId: key.ownerUserId },
      });
    });

/** Returns the rights of the caller that decide about the keys of other users. */
export const administratorOf = (caller: Caller) => ({
  isAdmin: isAdmin(caller),
  isUserAdmin: holds(caller, 'UserAdmin'),
});
