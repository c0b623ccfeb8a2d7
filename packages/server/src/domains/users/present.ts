import { type RoleName, roleNames, type User } from '@svc/contract';
import type { StoredUser } from './store.ts';

const knownRoles: ReadonlySet<string> = new Set(roleNames);
const named = (roles: readonly string[]): RoleName[] =>
  roles.filter((role): role is RoleName => knownRoles.has(role));

export const presentUser = (user: StoredUser): User => ({
  id: user.id,
  userName: user.userName,
  displayName: user.displayName,
  email: user.email,
  kind: user.kind,
  issuer: user.issuer,
  subject: user.subject,
  isSuperAdmin: user.isSuperAdmin,
  isEnabled: user.isEnabled,
  mustChangePassword: user.mustChangePassword,
  roles: named(user.roles),
  grantedRoles: named(user.grantedRoles),
  lastSignedInAt: user.lastSignedInAt?.toISOString() ?? null,
  createdTime: user.createdTime.toISOString(),
  archivedAt: user.archivedAt?.toISOString() ?? null,
});
