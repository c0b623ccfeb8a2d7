import { createKeyRing } from '../platform/crypto/index.ts';

/**
 * Returns true if one of the keys is among the encryption keys of a database or a backup. An id identifies a key
 * and reveals nothing about it.
 *
 * @param keyIds As in `encryption_key_checks` or a backup's manifest. Empty if nothing was ever encrypted.
 * @param keys The newest first.
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
