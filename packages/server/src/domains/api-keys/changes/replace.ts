import type { ApiKeyInput, NewApiKey, ReplacementInput } from '@svc/contract';
import { statementTime } from '../../../platform/clock.ts';
import { conflict, notFound } from '../../../platform/http/index.ts';
import { expiryOf, type KeyRules, refusalOf, validScopes } from '../access.ts';
import { expiryFrom } from '../expiry.ts';
import { stateOf } from '../present.ts';
import { findKey, type StoredKey, setReplaced } from '../store.ts';
import { type CreateKeyDeps, type KeyActor, requireKeyOwner, storeKey } from './create.ts';

const minuteMs = 60_000;
const overlapMinutesDefault = 1_440;

/**
 * Creates the function that creates a key with the permissions of an old key, and shortens the old key's life to an
 * overlap.
 */
export const createReplaceKey =
  (deps: CreateKeyDeps) =>
  (id: number, input: ReplacementInput, actor: KeyActor): Promise<NewApiKey> =>
    deps.database.transaction(async (tx) => {
      const old = await findKey(tx, id, statementTime(deps.clock), { forUpdate: true });
      if (!old || old.ownerUserId === null || old.ownerUserId !== actor.caller.userId) throw notFound();
      const { scopes, allowedProjectIds } = replaceable(old, deps.rules);
      const ownerUserId = requireKeyOwner(actor, scopes);
      const expiresAt = expiryFrom(input.expiresAt, deps.rules.maxLifetimeDays, deps.clock.now());
      const readableIds = await deps.readableWithoutBypass(tx, actor.caller, allowedProjectIds);
      if (allowedProjectIds.some((projectId) => !readableIds.includes(projectId)))
        throw conflict(
          'key-projects-unreadable',
          'The key names projects that you cannot read any more: make a new key instead.',
        );
      const newKey = await storeKey(
        deps,
        tx,
        { name: old.name, scopes, allowedProjectIds },
        expiresAt,
        actor,
        ownerUserId,
      );
      const overlapMs = (input.overlapMinutes ?? overlapMinutesDefault) * minuteMs;
      const endsAt = new Date(
        Math.min(old.at.getTime() + overlapMs, expiryOf(old, deps.rules)?.getTime() ?? Infinity),
      );
      await setReplaced(tx, id, { keyId: newKey.id, endsAt });
      await deps.audit.record(tx, {
        event: 'keys.api_key_replaced',
        by: actor,
        subject: { kind: 'api_key', id },
        detail: { newApiKeyId: newKey.id, endsAt: endsAt.toISOString() },
      });
      return newKey;
    });

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
