import { type GlobalRole, globalRoles, type Permission, permissions, type RoleName } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';

/** What a user's roles come to. */
export type Rights = Pick<Caller, 'role' | 'isSuperAdmin' | 'permissions'>;

const permissionNames: ReadonlySet<string> = new Set(permissions);

/** The rights that come from role names: the highest global role, and the functional permissions by name. */
export function rightsOf(roles: readonly string[], isSuperAdmin: boolean): Rights {
  const role = globalRoles.findLast((name) => roles.includes(name)) ?? null;
  return {
    role,
    isSuperAdmin,
    permissions: new Set(roles.filter((name): name is Permission => permissionNames.has(name))),
  };
}

/** Somebody who may not act at all: disabled or archived. */
export const noRights: Rights = { role: null, isSuperAdmin: false, permissions: new Set() };

const levels: Readonly<Record<GlobalRole, number>> = { Viewer: 1, Editor: 2, Admin: 3 };

/** Level of a role: Admin 3, Editor 2, Viewer 1, functional 0. */
export const levelOf = (role: RoleName): number => (role in levels ? levels[role as GlobalRole] : 0);

/** True for users that only an Admin may manage: Admins, super admins, holders of a functional permission. */
export const isPrivileged = (user: Rights): boolean =>
  user.isSuperAdmin || user.role === 'Admin' || user.permissions.size > 0;

/** Why a caller may not make a change to a user; undefined when it may. */
export type ManageRefusal = 'privileged-user' | 'privileged-role' | 'own-account';

/**
 * Whether a caller may change a user. Only an Admin touches the privileged or grants privileged roles, and nobody
 * changes their own roles or whether they are enabled.
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
