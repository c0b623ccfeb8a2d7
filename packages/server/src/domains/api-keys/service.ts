import type {
  AdminApiKey,
  ApiKey,
  ApiKeyInput,
  ListQuery,
  NewApiKey,
  Page,
  ReplacementInput,
} from '@svc/contract';
import { type Caller, canWrite, holds, isAdmin } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Randomness } from '../../platform/crypto/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { conflict, forbidden, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { rightsOf } from '../users/index.ts';
import { expiryOf, type KeyRules, mayRevokeKeyOf, refusalOf, validScopes } from './access.ts';
import { hashOfKey } from './authenticate.ts';
import { expiryFrom } from './expiry.ts';
import type { LastUsed } from './last-used.ts';
import { presentAdminKey, presentKey, stateOf } from './present.ts';
import {
  findKey,
  insertKey,
  listKeys,
  lockOwner,
  revokeKey,
  revokeKeysOfOwner,
  type StoredKey,
  setReplaced,
} from './store.ts';

/** Returns the projects that a caller can read without the administrators' bypass. */
export type ReadableWithoutBypass = (
  executor: Queryable,
  caller: Caller,
  projectIds: readonly number[],
) => Promise<readonly number[]>;

type Person = Actor & { readonly caller: Caller };

export type ApiKeysService = {
  readonly listOwn: (caller: Caller, query: ListQuery) => Promise<Page<ApiKey>>;
  readonly listAll: (caller: Caller, query: ListQuery & { userId?: number }) => Promise<Page<AdminApiKey>>;
  readonly create: (input: ApiKeyInput, actor: Person) => Promise<NewApiKey>;
  /** Creates a key with the same permissions and shortens the old key's life to an overlap. */
  readonly replace: (id: number, input: ReplacementInput, actor: Person) => Promise<NewApiKey>;
  readonly revokeOwn: (id: number, actor: Person) => Promise<void>;
  readonly revokeAny: (id: number, actor: Person) => Promise<void>;
  /** Revokes all keys of a user, in the transaction that disables, re-enables or archives the user. Returns their number. */
  readonly revokeAllOf: (tx: Tx, ownerUserId: number, byUserId: number | null) => Promise<number>;
};

const minuteMs = 60_000;
const defaultOverlapMinutes = 1_440;
const keyPrefix = 'sk-sem_';
const randomBytes = 32;
const shownPrefixLength = 16;

const ownSortable = {
  name: 'lower(k.name) collate "C"',
  prefix: 'k.prefix collate "C"',
  createdTime: 'k.created_time',
  lastUsedAt: 'k.last_used_at',
  expiresAt: 'k.expires_at',
};
const adminSortable = {
  ...ownSortable,
  revokedAt: 'k.revoked_at',
  ownerUserName: 'lower(u.user_name) collate "C"',
};
const list = { byDefault: '-createdTime', unique: 'k.id' };

export function createApiKeysService(deps: {
  database: Database;
  clock: Clock;
  random: Randomness;
  audit: Audit;
  lastUsed: LastUsed;
  rules: KeyRules;
  readableWithoutBypass: ReadableWithoutBypass;
}): ApiKeysService {
  const { database, clock, random, audit, lastUsed, rules } = deps;

  const makeKey = (): string =>
    `${keyPrefix}${random(randomBytes).toString('base64').replaceAll(/[+/=]/g, '')}`;

  /** Locks the owner's row: a transaction that disables the owner waits, and then revokes this key too. */
  const store = async (tx: Tx, input: ApiKeyInput, expiresAt: Date, actor: Person, ownerUserId: number) => {
    const owner = await lockOwner(tx, ownerUserId);
    if (!owner) throw forbidden('user-disabled', 'Disabled users cannot create API keys.');
    const projectIds = [...new Set(input.allowedProjectIds)];
    const readable = await deps.readableWithoutBypass(tx, actor.caller, projectIds);
    if (projectIds.some((id) => !readable.includes(id))) throw notFound();
    const plainTextKey = makeKey();
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
  };

  return {
    listOwn: async (caller, query) => {
      await lastUsed.flush();
      const page = pageRequest(query, { sortable: ownSortable, ...list });
      const filter = { ownerUserId: caller.userId, at: statementTime(clock) };
      const { keys, totalCount } =
        caller.userId === null ? { keys: [], totalCount: 0 } : await listKeys(database, filter, page);
      return pageOf(
        keys.map((key) => presentKey(key, rules)),
        totalCount,
        page,
      );
    },
    listAll: async (caller, query) => {
      await lastUsed.flush();
      const page = pageRequest(query, { sortable: adminSortable, ...list });
      const filter = { ownerUserId: query.userId ?? null, at: statementTime(clock) };
      const { keys, totalCount } = await listKeys(database, filter, page);
      const administrator = administratorOf(caller);
      return pageOf(
        keys.map((key) => presentAdminKey(key, rules, administrator)),
        totalCount,
        page,
      );
    },
    create: async (input, actor) => {
      const ownerUserId = makerOf(actor, input.scopes);
      const expiresAt = expiryFrom(input.expiresAt, rules.maxLifetimeDays, clock.now());
      return database.transaction((tx) => store(tx, input, expiresAt, actor, ownerUserId));
    },
    replace: (id, input, actor) =>
      database.transaction(async (tx) => {
        const old = await findKey(tx, id, statementTime(clock), { forUpdate: true });
        if (!old || old.ownerUserId === null || old.ownerUserId !== actor.caller.userId) throw notFound();
        const { scopes, allowedProjectIds } = replaceable(old, rules);
        const ownerUserId = makerOf(actor, scopes);
        const expiresAt = expiryFrom(input.expiresAt, rules.maxLifetimeDays, clock.now());
        const readable = await deps.readableWithoutBypass(tx, actor.caller, allowedProjectIds);
        if (allowedProjectIds.some((projectId) => !readable.includes(projectId)))
          throw conflict(
            'key-projects-unreadable',
            'The key names projects that you cannot read any more: make a new key instead.',
          );
        const made = await store(
          tx,
          { name: old.name, scopes, allowedProjectIds },
          expiresAt,
          actor,
          ownerUserId,
        );
        const overlapMs = (input.overlapMinutes ?? defaultOverlapMinutes) * minuteMs;
        const endsAt = new Date(
          Math.min(old.at.getTime() + overlapMs, expiryOf(old, rules)?.getTime() ?? Infinity),
        );
        await setReplaced(tx, id, { keyId: made.id, endsAt });
        await audit.record(tx, {
          event: 'keys.api_key_replaced',
          by: actor,
          subject: { kind: 'api_key', id },
          detail: { newApiKeyId: made.id, endsAt: endsAt.toISOString() },
        });
        return made;
      }),
    revokeOwn: (id, actor) =>
      database.transaction(async (tx) => {
        const key = await findKey(tx, id, null, { forUpdate: true });
        if (!key || key.ownerUserId === null || key.ownerUserId !== actor.caller.userId) throw notFound();
        const revocation = { byUserId: actor.caller.userId, at: statementTime(clock) };
        if (!(await revokeKey(tx, id, revocation))) return;
        await audit.record(tx, {
          event: 'keys.api_key_revoked',
          by: actor,
          subject: { kind: 'api_key', id },
        });
      }),
    revokeAny: (id, actor) =>
      database.transaction(async (tx) => {
        const key = await findKey(tx, id, null, { forUpdate: true });
        if (!key) throw notFound();
        const owner =
          key.ownerUserId === null
            ? null
            : rightsOf(key.ownerRoles?.split(',') ?? [], key.ownerIsSuperAdmin ?? false);
        if (!mayRevokeKeyOf(administratorOf(actor.caller), owner))
          throw forbidden(
            'admin-required',
            'Only an Admin may revoke keys of Admins, super admins and holders of functional permissions.',
          );
        const revocation = { byUserId: actor.caller.userId, at: statementTime(clock) };
        if (!(await revokeKey(tx, id, revocation))) return;
        await audit.record(tx, {
          event: 'keys.api_key_revoked_by_administrator',
          by: actor,
          subject: { kind: 'api_key', id },
          detail: { ownerUserId: key.ownerUserId },
        });
      }),
    revokeAllOf: (tx, ownerUserId, byUserId) =>
      revokeKeysOfOwner(tx, ownerUserId, { byUserId, at: statementTime(clock) }),
  };
}

/** Returns the user id of the new key's owner. Throws a 403 refusal if the caller may not create one of these scopes. */
function makerOf({ caller }: Person, scopes: readonly string[]): number {
  if (caller.userId === null) throw forbidden('no-user', 'API keys need a stored user.');
  if (scopes.includes('Execute') && !canWrite(caller))
    throw forbidden('execute-key-needs-editor', 'Execute keys need the Editor role or above.');
  return caller.userId;
}

/** Returns the permissions of the replacement of a key. Throws a 409 refusal if the key cannot be replaced. */
function replaceable(key: StoredKey, rules: KeyRules): Pick<ApiKeyInput, 'scopes' | 'allowedProjectIds'> {
  if (refusalOf(stateOf(key), rules, key.at) !== undefined)
    throw conflict('key-not-active', 'The key does not work any more: make a new key instead.');
  if (key.replacedByKeyId !== null)
    throw conflict('key-replaced', 'The key was replaced already: replace the one that took its place.');
  const allowedProjectIds = key.allowedProjectIds?.filter((id) => id !== null) ?? [];
  if (allowedProjectIds.length === 0)
    throw conflict(
      'key-without-projects',
      'The key has no list of projects: make a new key and choose them.',
    );
  return { scopes: validScopes(key.scopes), allowedProjectIds };
}

const administratorOf = (caller: Caller) => ({
  isAdmin: isAdmin(caller),
  isUserAdmin: holds(caller, 'UserAdmin'),
});
