import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { plural } from '@svc/contract';
import { Secret } from './secret.ts';

/**
 * What a derived key is for. Each purpose has a key of its own, so that nothing made for one purpose is valid for
 * another (SECURITY R5). The words are part of the derivation: renaming one loses everything made under it.
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

/** One configured key: its id, and the keys derived from it. */
export type RingKey = {
  /** 12 hexadecimal characters derived from the key; says nothing about it, and is stored in the open. */
  readonly id: string;
  /** The 256-bit key for one purpose. */
  readonly derive: (purpose: KeyPurpose) => KeyObject;
};

/** The keys of this installation: the one that writes, and all that may still read. */
export type KeyRing = {
  readonly current: RingKey;
  /** Earlier keys, newest first as configured. */
  readonly previous: readonly RingKey[];
  /** The key with this id among all, or undefined. */
  readonly byId: (id: string) => RingKey | undefined;
};

/** Bytes that a configured key needs at least. */
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
      const known = derived.get(purpose);
      if (known) return known;
      const made = createSecretKey(deriveBytes(material, `purpose ${purpose}`, derivedBytes));
      derived.set(purpose, made);
      return made;
    },
  };
}

/** The configured keys as texts. */
export type KeyRingSettings = {
  /** `Svc:EncryptionKey`: any text of at least 32 bytes in UTF-8. It should be random; there is no default. */
  readonly encryptionKey: Secret | string;
  /** `Svc:PreviousEncryptionKeys`: keys that still open what was made under them. */
  readonly previousEncryptionKeys?: readonly (Secret | string)[];
};

const asSecret = (key: Secret | string) => (typeof key === 'string' ? new Secret(key) : key);

/**
 * Makes the key ring. Keys are derived by HKDF-SHA-256 on first use and kept.
 *
 * @throws RangeError with the setting's name when a key is shorter than 32 bytes.
 */
export function createKeyRing(settings: KeyRingSettings): KeyRing {
  const current = createRingKey(asSecret(settings.encryptionKey), 'Svc:EncryptionKey');
  const keys = new Map([[current.id, current]]);
  for (const [index, key] of (settings.previousEncryptionKeys ?? []).entries()) {
    const previous = createRingKey(asSecret(key), `Svc:PreviousEncryptionKeys:${index}`);
    // The current key may still be listed among the previous ones after a rotation was undone; that is no fault.
    if (!keys.has(previous.id)) keys.set(previous.id, previous);
  }
  return {
    current,
    previous: [...keys.values()].slice(1),
    byId: (id) => keys.get(id),
  };
}
