import { type GlobalRole, globalRoles, type Permission, permissions, type RoleName } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';

/** Rights that result from a user's roles. */
export type Rights = Pick<Caller, 'role' | 'isSuperAdmin' | 'permissions'>;

const permissionNames: ReadonlySet<string> = new Set(permissions);

/** Returns the rights of role names: the highest global role, and the functional permissions by name. */
export function rightsOf(roles: readonly string[], isSuperAdmin: boolean): Rights {
  const role = globalRoles.findLast((name) => roles.includes(name)) ?? null;
  return {
    role,
    isSuperAdmin,
    permissions: new Set(roles.filter((name): name is Permission => permissionNames.has(name))),
  };
}

/** Rights of a disabled or archived user. */
export const noRights: Rights = { role: null, isSuperAdmin: false, permissions: new Set() };

const levels: Readonly<Record<GlobalRole, number>> = { Viewer: 1, Editor: 2, Admin: 3 };

/** Returns the level of a role: Admin 3, Editor 2, Viewer 1, functional 0. */
export const levelOf = (role: RoleName): number => (role in levels ? levels[role as GlobalRole] : 0);

/**
 * Returns true for users that only an Admin may manage: Admins, super admins, and users with a functional permission.
 */
export const isPrivileged = (user: Rights): boolean =>
  user.isSuperAdmin || user.role === 'Admin' || user.permissions.size > 0;

/** Reason why a caller may not change a user. */
export type ManageRefusal = 'privileged-user' | 'privileged-role' | 'own-account';

/**
 * Returns the reason why a caller may not change a user; undefined when the change is allowed. Only an Admin may change
 * privileged users or grant privileged roles. No user may change their own roles or enabled state.
 */
export function refusalToManage(
  caller: { readonly userId: number | null; readonly isAdmin: boolean },
  target: { readonly id: number; readonly rights: Rights } | null,
  change: { readonly grants?: readonly string[]; readonly touchesStanding?: boolean },
): ManageRefusal | undefined {
  const isOwn = target !== null && target.id === caller.userId;
  if (isOwn && change.touchesStanding) return 'own-account';
  if (caller.isAdmin) return undefined;
  if (target !== null && isPrivileged(target.rights)) return 'privileged-user';
  return isPrivileged(rightsOf(change.grants ?? [], false)) ? 'privileged-role' : undefined;
}
