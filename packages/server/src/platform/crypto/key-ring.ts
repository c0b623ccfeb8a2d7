import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { plural } from '@svc/contract';
import { Secret } from './secret.ts';

/**
 * Purpose of a derived key. Each purpose has its own key, so that a code for one purpose is invalid for another
 * (SECURITY R5). The names are part of the derivation: renaming one invalidates every value under it.
 */
export type KeyPurpose =
  | 'encryption'
  | 'key-check'
  | 'approval-hash'
  | 'fingerprint'
  | 'antiforgery'
  | 'session'
  | 'cursor'
  | 'hub'
  | 'row-memory'
  | 'managed-object';

/** A configured key: its id, and the keys derived from it. */
export type RingKey = {
  /** 12 hexadecimal characters derived from the key. They reveal nothing about it and are stored unencrypted. */
  readonly id: string;
  /** Returns the 256-bit key for one purpose. */
  readonly derive: (purpose: KeyPurpose) => KeyObject;
};

/** Keys of this installation: the current key for writing, and the earlier keys for reading. */
export type KeyRing = {
  readonly current: RingKey;
  /** Earlier keys, newest first as configured. */
  readonly previous: readonly RingKey[];
  /** Returns the key with this id, current or earlier, or undefined. */
  readonly byId: (id: string) => RingKey | undefined;
};

/** Minimum length of a configured key, in bytes. */
export const keyBytesMin = 32;

const derivedBytes = 32;
const salt = Buffer.from('svc key ring v1');

function deriveBytes(material: Buffer, label: string, byteCount: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, label, byteCount));
}

function createRingKey(key: Secret, settingName: string): RingKey {
  const material = Buffer.from(key.reveal(), 'utf8');
  if (material.length < keyBytesMin)
    throw new RangeError(
      `${settingName} is too short: a key needs at least ${plural(keyBytesMin, 'byte')}, this one has ${material.length}.`,
    );
  const derived = new Map<KeyPurpose, KeyObject>();
  return {
    id: deriveBytes(material, 'id', 6).toString('hex'),
    derive: (purpose) => {
      const cachedKey = derived.get(purpose);
      if (cachedKey) return cachedKey;
      const derivedKey = createSecretKey(deriveBytes(material, `purpose ${purpose}`, derivedBytes));
      derived.set(purpose, derivedKey);
      return derivedKey;
    },
  };
}

/** Configured keys as texts. */
export type KeyRingSettings = {
  /** `Svc:EncryptionKey`: a text of at least 32 bytes in UTF-8. It should be random; there is no default. */
  readonly encryptionKey: Secret | string;
  /** `Svc:PreviousEncryptionKeys`: earlier keys that still decrypt the values under them. */
  readonly previousEncryptionKeys?: readonly (Secret | string)[];
};

const asSecret = (key: Secret | string) => (typeof key === 'string' ? new Secret(key) : key);

/**
 * Creates the key ring. Keys are derived by HKDF-SHA-256 on first use and cached.
 *
 * @throws RangeError with the setting's name when a key is shorter than 32 bytes.
 */
export function createKeyRing(settings: KeyRingSettings): KeyRing {
  const current = createRingKey(asSecret(settings.encryptionKey), 'Svc:EncryptionKey');
  const keys = new Map([[current.id, current]]);
  for (const [index, key] of (settings.previousEncryptionKeys ?? []).entries()) {
    const previous = createRingKey(asSecret(key), `Svc:PreviousEncryptionKeys:${index}`);
    // After an undone rotation, the previous keys may still include the current key. This is not a fault.
    if (!keys.has(previous.id)) keys.set(previous.id, previous);
  }
  return {
    current,
    previous: [...keys.values()].slice(1),
    byId: (id) => keys.get(id),
  };
}
