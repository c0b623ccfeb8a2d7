import { isAdmin } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict, forbidden, type Refusal } from '../../../platform/http/index.ts';
import { type ManageRefusal, refusalToManage, rightsOf } from '../access.ts';
import { lockActingSuperAdmins } from '../manage-store.ts';
import type { StoredUser } from '../store.ts';
import type { Administrator } from './dependencies.ts';

/** Throws 409 for a change that would leave no super admin who can sign in. */
export async function requireOtherSuperAdmin(tx: Tx, user: StoredUser): Promise<void> {
  if (!user.isSuperAdmin) return;
  const actingIds = await lockActingSuperAdmins(tx);
  if (actingIds.some((id) => id !== user.id)) return;
  throw conflict('last-super-admin', 'This is the last super admin who can act: it must stay enabled.');
}

const refusals: Readonly<Record<ManageRefusal, () => Refusal>> = {
  'own-account': () =>
    forbidden(
      'own-account',
      'Nobody changes their own roles, or disables or archives themselves: ask another administrator.',
    ),
  'privileged-user': () =>
    forbidden(
      'privileged-user',
      'Only an Admin may change Admins, super admins and holders of functional permissions.',
    ),
  'privileged-role': () =>
    forbidden('privileged-role', 'Only an Admin may grant the Admin role and functional permissions.'),
};

/** Throws 403 for a change that the administrator may not make. `user`: null for a new user. */
export function requireMayManage(
  by: Administrator,
  user: StoredUser | null,
  change: Parameters<typeof refusalToManage>[2],
): void {
  const target = user && { id: user.id, rights: rightsOf(user.roles, user.isSuperAdmin) };
  const caller = { userId: by.caller.userId, isAdmin: isAdmin(by.caller) };
  const refusal = refusalToManage(caller, target, change);
  if (refusal) throw refusals[refusal]();
}
