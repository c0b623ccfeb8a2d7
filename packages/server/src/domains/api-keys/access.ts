import { type Scope, scopes } from '@svc/contract';
import { isPrivileged, type Rights } from '../users/index.ts';

/** Reasons why a key is refused, as written to the log. */
export type KeyRefusal =
  | 'revoked'
  | 'expired'
  | 'owner_missing'
  | 'owner_archived'
  | 'owner_disabled'
  | 'owner_generation_changed'
  | 'no valid scopes'
  | 'owner_inactive';

/** All facts that determine whether a key is valid. */
export type KeyState = {
  readonly scopes: readonly string[];
  readonly createdTime: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly ownerGeneration: number;
  readonly owner: {
    readonly isEnabled: boolean;
    readonly isArchived: boolean;
    readonly apiKeyGeneration: number;
    readonly createdTime: Date;
    readonly lastSignedInAt: Date | null;
  } | null;
};

export type KeyRules = {
  readonly maxLifetimeDays: number;
  readonly enforceMaxLifetimeOnExistingKeys: boolean;
  /** 0: off. */
  readonly maxOwnerInactivityDays: number;
};

const dayMs = 86_400_000;

/** Returns the expiry of a key: the stored one, or the enforced one for keys without. Null: the key never expires. */
export function expiryOf(key: Pick<KeyState, 'createdTime' | 'expiresAt'>, rules: KeyRules): Date | null {
  if (key.expiresAt !== null || !rules.enforceMaxLifetimeOnExistingKeys) return key.expiresAt;
  return new Date(key.createdTime.getTime() + rules.maxLifetimeDays * dayMs);
}

/** Decides whether a key is valid, for requests and for lists. Undefined: the key is valid. */
export function refusalOf(key: KeyState, rules: KeyRules, at: Date): KeyRefusal | undefined {
  const expiry = expiryOf(key, rules);
  if (key.revokedAt !== null) return 'revoked';
  if (expiry !== null && expiry <= at) return 'expired';
  if (key.owner === null) return 'owner_missing';
  if (key.owner.isArchived) return 'owner_archived';
  if (!key.owner.isEnabled) return 'owner_disabled';
  if (key.owner.apiKeyGeneration > key.ownerGeneration) return 'owner_generation_changed';
  if (validScopes(key.scopes).length === 0) return 'no valid scopes';
  return isOwnerInactive(key.owner, rules, at) ? 'owner_inactive' : undefined;
}

function isOwnerInactive(
  owner: { createdTime: Date; lastSignedInAt: Date | null },
  { maxOwnerInactivityDays }: KeyRules,
  at: Date,
): boolean {
  if (maxOwnerInactivityDays === 0) return false;
  const activeAt = owner.lastSignedInAt ?? owner.createdTime;
  return at.getTime() - activeAt.getTime() >= maxOwnerInactivityDays * dayMs;
}

/** Returns the scopes that still exist, in the contract's order. The retired scope `Admin` counts as `Execute`. */
export function validScopes(stored: readonly string[]): Scope[] {
  return scopes.filter(
    (scope) => stored.includes(scope) || (scope === 'Execute' && stored.includes('Admin')),
  );
}

/** Returns true if an administrator may revoke a key of this owner. Only Admins may revoke keys of privileged users. */
export const mayRevokeKeyOf = (
  caller: { isAdmin: boolean; isUserAdmin: boolean },
  owner: Rights | null,
): boolean => caller.isAdmin || (caller.isUserAdmin && (owner === null || !isPrivileged(owner)));
