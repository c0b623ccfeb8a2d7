import type { AdminApiKey, ApiKey } from '@svc/contract';
import { rightsOf } from '../users/index.ts';
import { expiryOf, type KeyRules, type KeyState, mayRevokeKeyOf, refusalOf, validScopes } from './access.ts';
import type { StoredKey } from './store.ts';

const dayMs = 86_400_000;
/** Days before its end at which the owner of a key is told. */
export const noticeDays = [1, 3, 14] as const;

/** The notice that a key's end is due for; null: none. */
export function noticeFor(expiry: Date | null, at: Date): number | null {
  if (expiry === null || expiry <= at) return null;
  const daysLeft = (expiry.getTime() - at.getTime()) / dayMs;
  return noticeDays.find((days) => daysLeft <= days) ?? null;
}

/** What decides about a stored key. */
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

/** What its owner sees of a key. */
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

/** What an administrator sees of a key. */
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
