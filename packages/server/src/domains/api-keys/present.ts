import type { AdminApiKey, ApiKey } from '@svc/contract';
import { rightsOf } from '../users/index.ts';
import { expiryOf, type KeyRules, type KeyState, mayRevokeKeyOf, refusalOf, validScopes } from './access.ts';
import type { StoredKey } from './store.ts';

const dayMs = 86_400_000;
/** Days before its expiry at which the owner of a key is notified. */
export const noticeDays = [1, 3, 14] as const;

/** Returns the notice that is due for an expiry, as a number of days. Null: no notice is due. */
export function noticeFor(expiry: Date | null, at: Date): number | null {
  if (expiry === null || expiry <= at) return null;
  const daysLeft = (expiry.getTime() - at.getTime()) / dayMs;
  return noticeDays.find((days) => daysLeft <= days) ?? null;
}

/** Returns the facts that determine whether a stored key is valid. */
export const stateOf = (key: StoredKey): KeyState => ({
  scopes: key.scopes,
  createdTime: key.createdTime,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  ownerGeneration: key.ownerGeneration,
  owner:
    key.ownerUserId === null || key.ownerCreatedTime === null
      ? null
      : {
          isEnabled: key.ownerIsEnabled ?? false,
          isArchived: key.ownerIsArchived ?? true,
          apiKeyGeneration: key.ownerGenerationNow ?? 0,
          createdTime: key.ownerCreatedTime,
          lastSignedInAt: key.ownerLastSignedInAt,
        },
});

/** Returns a key for its owner. */
export function presentKey(key: StoredKey, rules: KeyRules): ApiKey {
  const expiry = expiryOf(key, rules);
  const isActive = refusalOf(stateOf(key), rules, key.at) === undefined;
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: validScopes(key.scopes),
    allowedProjectIds: key.allowedProjectIds?.filter((id) => id !== null) ?? null,
    createdTime: key.createdTime.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: expiry?.toISOString() ?? null,
    isActive,
    isExpired: expiry !== null && expiry <= key.at,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    endsWithinDays: isActive ? noticeFor(expiry, key.at) : null,
    replacedByKeyId: key.replacedByKeyId,
  };
}

/** Returns a key for an administrator. */
export function presentAdminKey(
  key: StoredKey,
  rules: KeyRules,
  caller: { isAdmin: boolean; isUserAdmin: boolean },
): AdminApiKey {
  const shown = presentKey(key, rules);
  const owner =
    key.ownerUserId === null
      ? null
      : rightsOf(key.ownerRoles?.split(',') ?? [], key.ownerIsSuperAdmin ?? false);
  return {
    ...shown,
    ownerUserId: key.ownerUserId,
    ownerUserName: key.ownerUserName,
    status: key.revokedAt !== null ? 'Revoked' : shown.isActive ? 'Active' : 'Inactive',
    canRevoke: key.revokedAt === null && mayRevokeKeyOf(caller, owner),
  };
}
