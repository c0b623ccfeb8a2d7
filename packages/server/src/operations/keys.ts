import { createKeyRing } from '../platform/crypto/index.ts';

/**
 * Tells whether one of the keys at hand is among those that a database or a backup was encrypted under; an id tells
 * which key it is and nothing of it.
 *
 * @param keyIds  as `encryption_key_checks` or a backup's manifest has them; none when nothing was ever encrypted.
 * @param keys  the newest first.
 */
export function holdsKeys(
  keyIds: readonly string[],
  [encryptionKey, ...previous]: readonly string[],
): boolean {
  if (keyIds.length === 0) return true;
  if (encryptionKey === undefined) return false;
  const ring = createKeyRing({ encryptionKey, previousEncryptionKeys: previous });
  return keyIds.some((id) => ring.byId(id) !== undefined);
}
