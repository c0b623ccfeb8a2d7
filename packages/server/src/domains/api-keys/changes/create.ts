import type { ApiKeyInput, NewApiKey } from '@svc/contract';
import { type Caller, canWrite } from '../../../platform/access/index.ts';
import { type Clock, statementTime } from '../../../platform/clock.ts';
import type { Randomness } from '../../../platform/crypto/index.ts';
import type { Database, Queryable, Tx } from '../../../platform/db/index.ts';
import { forbidden, notFound } from '../../../platform/http/index.ts';
import type { Actor, Audit } from '../../audit/index.ts';
import { type KeyRules, validScopes } from '../access.ts';
import { hashOfKey } from '../authenticate.ts';
import { expiryFrom } from '../expiry.ts';
import { presentKey } from '../present.ts';
import { findKey, insertKey, lockOwner } from '../store.ts';

/** Returns the projects that a caller can read without the administrators' bypass. */
export type ReadableWithoutBypass = (
  executor: Queryable,
  caller: Caller,
  projectIds: readonly number[],
) => Promise<readonly number[]>;

export type CreateKeyDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly audit: Audit;
  readonly rules: KeyRules;
  readonly readableWithoutBypass: ReadableWithoutBypass;
};

/** Caller who manages keys. */
export type KeyActor = Actor & { readonly caller: Caller };

const keyPrefix = 'sk-sem_';
const randomBytes = 32;
const shownPrefixLength = 16;

/** Creates the function that creates a key of the caller. */
export const createCreateKey =
  (deps: CreateKeyDeps) =>
  async (input: ApiKeyInput, actor: KeyActor): Promise<NewApiKey> => {
    const ownerUserId = requireKeyOwner(actor, input.scopes);
    const expiresAt = expiryFrom(input.expiresAt, deps.rules.maxLifetimeDays, deps.clock.now());
    return deps.database.transaction((tx) => storeKey(deps, tx, input, expiresAt, actor, ownerUserId));
  };

/**
 * Stores a new key. It locks the owner's row: a transaction that disables the owner waits, and then revokes this key
 * too.
 */
export async function storeKey(
  { clock, random, audit, rules, readableWithoutBypass }: CreateKeyDeps,
  tx: Tx,
  input: ApiKeyInput,
  expiresAt: Date,
  actor: KeyActor,
  ownerUserId: number,
): Promise<NewApiKey> {
  const owner = await lockOwner(tx, ownerUserId);
  if (!owner) throw forbidden('user-disabled', 'Disabled users cannot create API keys.');
  const projectIds = [...new Set(input.allowedProjectIds)];
  const readableIds = await readableWithoutBypass(tx, actor.caller, projectIds);
  if (projectIds.some((id) => !readableIds.includes(id))) throw notFound();
  const plainTextKey = generateKey(random);
  const scopes = validScopes(input.scopes);
  const id = await insertKey(tx, {
    name: input.name.trim(),
    keyHash: hashOfKey(plainTextKey),
    prefix: plainTextKey.slice(0, shownPrefixLength),
    ownerUserId,
    ownerGeneration: owner.generation,
    scopes,
    allowedProjectIds: projectIds,
    createdTime: clock.now(),
    expiresAt,
  });
  await audit.record(tx, {
    event: 'keys.api_key_created',
    by: actor,
    subject: { kind: 'api_key', id },
    detail: { ownerUserId, scopes, projectIds, expiresAt: expiresAt.toISOString() },
  });
  const key = await findKey(tx, id, statementTime(clock));
  if (!key) throw new Error('The key was not stored.');
  return { ...presentKey(key, rules), plainTextKey };
}

const generateKey = (random: Randomness): string =>
  `${keyPrefix}${random(randomBytes).toString('base64').replaceAll(/[+/=]/g, '')}`;

/** Returns the user id of the new key's owner. Throws a 403 refusal if the caller may not create one of these scopes. */
export function requireKeyOwner({ caller }: KeyActor, scopes: readonly string[]): number {
  if (caller.userId === null) throw forbidden('no-user', 'API keys need a stored user.');
  if (scopes.includes('Execute') && !canWrite(caller))
    throw forbidden('execute-key-needs-editor', 'Execute keys need the Editor role or above.');
  return caller.userId;
}
