import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/index.ts';
import {
  deleteRoles,
  findUserByIdentity,
  findUserByName,
  insertRoles,
  insertUser,
  lockUser,
  renewStamp,
  type StoredUser,
  updateNames,
} from '../users/index.ts';
import { type Claims, textsOf } from './admission.ts';

export type ProvisioningRules = {
  readonly defaultRoleName: string | undefined;
  /** Functional permissions by app role of the provider. */
  readonly idpRoles: ReadonlyMap<string, readonly string[]>;
};

const userNameLengthMax = 100;
const nameLengthMax = 200;
const emailLengthMax = 320;

const textOf = (claim: unknown, lengthMax: number): string | null =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim().slice(0, lengthMax) : null;

/**
 * Returns the user of an identity, by issuer and subject only. A name or an email address may pass to another person.
 * Creates the user at the first sign-in.
 */
export async function userOfIdentity(
  tx: Tx,
  identity: { issuer: string; subject: string },
  claims: Claims,
  rules: ProvisioningRules,
): Promise<{ user: StoredUser; isNew: boolean }> {
  const existingUser = await findUserByIdentity(tx, identity);
  const id = existingUser?.id ?? (await provision(tx, identity, claims, rules));
  const user = await lockUser(tx, id);
  if (!user) throw new Error('The user was not stored.');
  return { user, isNew: existingUser === undefined };
}

async function provision(
  tx: Tx,
  identity: { issuer: string; subject: string },
  claims: Claims,
  rules: ProvisioningRules,
): Promise<number> {
  const id = await insertUser(tx, {
    userName: await freeUserName(tx, identity, claims),
    displayName: textOf(claims['name'], nameLengthMax),
    email: textOf(claims['email'], emailLengthMax),
    kind: 'External',
    ...identity,
  });
  const roles = rules.defaultRoleName === undefined ? [] : [rules.defaultRoleName];
  await insertRoles(tx, id, roles, { source: 'Granted', byUserId: null });
  return id;
}

/** Returns the name from the provider. If another user has it, appends a mark of the identity. */
async function freeUserName(
  tx: Tx,
  identity: { issuer: string; subject: string },
  claims: Claims,
): Promise<string> {
  const mark = createHash('sha256')
    .update(`${identity.issuer} ${identity.subject}`)
    .digest('hex')
    .slice(0, 8);
  const claimedName =
    textOf(claims['preferred_username'], userNameLengthMax) ?? textOf(claims['email'], userNameLengthMax);
  const name = claimedName ?? identity.subject.slice(0, userNameLengthMax);
  if (name.length >= 3 && !(await findUserByName(tx, name))) return name;
  return `${name.slice(0, userNameLengthMax - mark.length - 1)}-${mark}`;
}

/**
 * Applies the current names of the provider and the permissions of its app roles, at each sign-in. Removes permissions
 * that the provider no longer grants.
 *
 * @returns the user with the current roles and stamp.
 */
export async function refreshFromProvider(
  tx: Tx,
  user: StoredUser,
  claims: Claims,
  rules: ProvisioningRules,
): Promise<{ user: StoredUser; granted: readonly string[] }> {
  const granted = [...new Set(textsOf(claims['roles']).flatMap((role) => rules.idpRoles.get(role) ?? []))];
  await updateNames(tx, user.id, {
    displayName: textOf(claims['name'], nameLengthMax) ?? user.displayName,
    email: textOf(claims['email'], emailLengthMax) ?? user.email,
  });
  await deleteRoles(tx, user.id, 'IdentityProvider', granted);
  await insertRoles(tx, user.id, granted, { source: 'IdentityProvider', byUserId: null });
  const renewed = await lockUser(tx, user.id);
  if (!renewed) throw new Error('The user is gone.');
  if (renewed.roles.join() === user.roles.join()) return { user: renewed, granted };
  // Sessions with the earlier roles must be checked again.
  await renewStamp(tx, user.id);
  return { user: (await lockUser(tx, user.id)) ?? renewed, granted };
}
