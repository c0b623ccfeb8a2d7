import { hash as digestOf, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@svc/contract';
import { plural } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { type Caller, globalLevel } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { createSharedReads } from '../../platform/concurrency/shared-reads.ts';
import type { Database } from '../../platform/db/index.ts';
import { badCredential } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { rightsOf } from '../users/index.ts';
import { expiryOf, type KeyRefusal, type KeyRules, refusalOf, validScopes } from './access.ts';
import type { ExecuteAnswer, KeyOwner } from './consent.ts';
import type { LastUsed } from './last-used.ts';
import { stateOf } from './present.ts';
import { findKey, findKeyByHash, type PresentedKey } from './store.ts';

const scheme = 'bearer ';
const engaging = 'bearer sk-sem_';
const editorLevel = 2;
const neverStored = Buffer.alloc(32);
/** No key has this id. */
const noKey = 0;

export const hashOfKey = (key: string): Buffer => digestOf('sha256', key, 'buffer');

/**
 * Authenticates the key in the Authorization header. Only a header that starts with `Bearer sk-sem_`, in any case, is
 * treated as a key.
 */
export function createKeyAuthenticator(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  lastUsed: LastUsed;
  rules: KeyRules;
  /** Consent of the embedding application to changes through a key. Undefined: no consent is required. */
  consent?: ((owner: KeyOwner) => Promise<ExecuteAnswer>) | undefined;
}): (request: FastifyRequest) => Promise<Caller | undefined> {
  const { database, clock, log, lastUsed, rules } = deps;
  const reads = createSharedReads();
  const warned = new Set<string>();
  const warnOnce = (topic: string, keyId: number, message: string): void => {
    const mark = `${topic} ${keyId}`;
    if (warned.has(mark)) return;
    warned.add(mark);
    log.warn({ apiKeyId: keyId }, message);
  };

  const refuse = (keyId: number | undefined, reason: KeyRefusal | 'unknown'): Error => {
    log.warn({ apiKeyId: keyId, reason }, 'an API key was refused');
    if (reason !== 'owner_inactive') return badCredential('invalid-api-key', 'Invalid or expired API key.');
    return badCredential(
      'api-key-owner-inactive',
      `The owner of this API key has not signed in for ${plural(rules.maxOwnerInactivityDays, 'day')}. ` +
        'The key works again after the owner signs in.',
    );
  };

  /** Refuses an invalid key with the reason from its complete data. */
  const refuseUnusable = async ({ id, at }: PresentedKey): Promise<void> => {
    const key = await findKey(database, id, at);
    if (!key) throw refuse(id, 'unknown');
    const reason = refusalOf(stateOf(key), rules, at);
    if (reason) throw refuse(id, reason);
    if (expiryOf(key, rules) === null)
      warnOnce('expiry', id, 'an API key without an expiry is in use: replace it by one that expires');
  };

  /** Makes the same query as for a revoked key, so that the response time does not distinguish the two. */
  const refuseUnknown = async (at: Date | null): Promise<never> => {
    await findKey(database, noKey, at);
    throw refuse(undefined, 'unknown');
  };

  return async (request) => {
    const header = request.headers.authorization;
    if (header === undefined || header.slice(0, engaging.length).toLowerCase() !== engaging) return undefined;
    const hash = hashOfKey(header.slice(scheme.length));
    const at = statementTime(clock);
    const ownerInactivityDaysMax = rules.maxOwnerInactivityDays;
    // Simultaneous requests with one key share a query, which starts after each of them has arrived.
    const key = await reads.read(`${hash.toString('base64')} ${at?.getTime() ?? ''}`, () =>
      findKeyByHash(database, hash, { at, ownerInactivityDaysMax }),
    );
    const isMatch = timingSafeEqual(hash, key?.keyHash ?? neverStored);
    if (!key || !isMatch) return refuseUnknown(at);
    const granted = validScopes(key.scopes);
    if (!key.isUsable || granted.length === 0) await refuseUnusable(key);
    lastUsed.note(key.id, key.at, request.method, request.routeOptions.url ?? '');
    const caller = callerOf(key, granted);
    if (granted.includes('Execute') && !caller.scopes?.has('Execute'))
      warnOnce('scope', key.id, 'an API key with the Execute scope acts as Read: its owner may not write');
    return consentedTo(caller, deps.consent);
  };
}

/** Reduces a caller to Read if the application does not consent, and adds the reason. */
async function consentedTo(
  caller: Caller,
  consent: ((owner: KeyOwner) => Promise<ExecuteAnswer>) | undefined,
): Promise<Caller> {
  const { userId, userName, apiKeyId } = caller;
  if (!consent || !caller.scopes?.has('Execute') || userId === null || apiKeyId === null) return caller;
  const answer = await consent({ userId, userName, apiKeyId });
  return answer === true ? caller : { ...caller, scopes: new Set(['Read']), executeRefusal: answer.refusal };
}

/**
 * Returns the caller of a key. It acts for its owner, without the administrators' bypass and without functional
 * permissions.
 */
export function callerOf(
  key: Omit<PresentedKey, 'keyHash' | 'isUsable'>,
  granted: readonly Scope[] = validScopes(key.scopes),
): Caller {
  const owner = rightsOf(key.ownerRoles?.split(',') ?? [], key.ownerIsSuperAdmin ?? false);
  const mayExecute = granted.includes('Execute') && globalLevel(owner) >= editorLevel;
  return {
    ...nobody,
    userId: key.ownerUserId,
    userName: key.ownerUserName,
    role: owner.isSuperAdmin ? 'Admin' : owner.role,
    scopes: new Set(mayExecute ? ['Read', 'Execute'] : ['Read']),
    allowedProjectIds: projectsOf(key),
    apiKeyId: key.id,
  };
}

/** Returns the projects of a key. A list with an invalid entry allows no project. */
function projectsOf({
  allowedProjectIds,
}: Pick<PresentedKey, 'allowedProjectIds'>): readonly number[] | null {
  if (allowedProjectIds === null) return null;
  const ids = allowedProjectIds.filter((id) => id !== null);
  return ids.length === allowedProjectIds.length ? ids : [];
}

const nobody: Caller = {
  kind: 'apiKey',
  userId: null,
  userName: null,
  role: null,
  isSuperAdmin: false,
  permissions: new Set(),
  scopes: null,
  allowedProjectIds: null,
  apiKeyId: null,
  sessionId: null,
  mustChangePassword: false,
};
