import { type KeyRing, makeKeyCheck, verifyKeyCheck } from '../crypto/index.ts';
import type { Queryable } from '../db/index.ts';

/**
 * Relation of the configured keys to the keys of the database.
 *
 * - `Known`: the current key is one of the database's keys, or the database has none yet.
 * - `Rotating`: the database has an earlier key of the ring.
 * - `Foreign`: the database has none of the ring's keys.
 */
export type KeyState = 'Known' | 'Rotating' | 'Foreign';

/** Compares the ring with the stored key checks. Writes nothing. */
export async function readKeyState(executor: Queryable, keys: KeyRing): Promise<KeyState> {
  const { rows } = await executor.query<{ check: string }>(
    'select check_value as check from svc.encryption_key_checks',
  );
  const verdicts = rows.map(({ check }) => verifyKeyCheck(keys, check));
  if (rows.length === 0 || verdicts.includes('Current')) return 'Known';
  return verdicts.includes('Previous') ? 'Rotating' : 'Foreign';
}

/** Records the current key as one of the database's keys. */
export async function recordCurrentKey(executor: Queryable, keys: KeyRing): Promise<void> {
  await executor.query(
    'insert into svc.encryption_key_checks (key_id, check_value) values ($1, $2) on conflict (key_id) do nothing',
    [keys.current.id, makeKeyCheck(keys)],
  );
}

/** Records the current key as the only one: no value is sealed under another key any more. */
export async function forgetOtherKeys(executor: Queryable, keys: KeyRing): Promise<void> {
  await recordCurrentKey(executor, keys);
  await executor.query('delete from svc.encryption_key_checks where key_id <> $1', [keys.current.id]);
}
