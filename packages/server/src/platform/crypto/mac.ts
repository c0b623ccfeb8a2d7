import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KeyPurpose, KeyRing } from './key-ring.ts';

const shape = /^v1\.([0-9a-f]{12})\.([0-9a-f]{64})$/;
const keyCheckText = ['key check'];

/** Authenticated parts, in order. Two different lists never have the same code. */
export type MacParts = readonly (string | Uint8Array)[];

function authenticate(key: KeyObject, parts: MacParts): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    // The lengths distinguish ['ab', 'c'] from ['a', 'bc'].
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    mac.update(length).update(bytes);
  }
  return mac.digest();
}

/**
 * Returns the HMAC-SHA-256 of the parts under the current key of a purpose:
 * `v1.<keyId>.<64 hexadecimal characters>`.
 */
export function hmac(ring: KeyRing, purpose: KeyPurpose, parts: MacParts): string {
  return `v1.${ring.current.id}.${authenticate(ring.current.derive(purpose), parts).toString('hex')}`;
}

/**
 * Result of comparing a stored code with the parts.
 *
 * - `Current`, `Previous`: it matches, under the current or an earlier key.
 * - `UnknownKey`: the key of the code is not in the ring.
 * - `Mismatch`: everything else, including a text that is no code.
 */
export type MacVerdict = 'Current' | 'Previous' | 'UnknownKey' | 'Mismatch';

/** Compares a stored code of `hmac()` with the parts, in constant time, under the key of the code. */
export function verifyHmac(ring: KeyRing, purpose: KeyPurpose, parts: MacParts, stored: string): MacVerdict {
  const [, keyId = '', hex = ''] = shape.exec(stored) ?? [];
  if (keyId === '') return 'Mismatch';
  const key = ring.byId(keyId);
  if (!key) return 'UnknownKey';
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), authenticate(key.derive(purpose), parts))) return 'Mismatch';
  return keyId === ring.current.id ? 'Current' : 'Previous';
}

/** Number of hexadecimal characters of a fingerprint (spec 3 section 8). */
export const fingerprintCharacters = 12;

/**
 * Returns a short code that shows if two secrets are equal, without revealing them. It is too short for
 * authentication, and changes with the encryption key.
 */
export function fingerprint(ring: KeyRing, parts: MacParts): string {
  return authenticate(ring.current.derive('fingerprint'), parts)
    .toString('hex')
    .slice(0, fingerprintCharacters);
}

/**
 * Creates a value to store once in the database. A later start checks with it that its key matches the stored
 * secrets. The value reveals nothing about the key.
 */
export function makeKeyCheck(ring: KeyRing): string {
  return hmac(ring, 'key-check', keyCheckText);
}

/**
 * Compares the stored key-check value with the ring. `Current`: the key matches. `Previous`: a rotation is in
 * progress. `UnknownKey` or `Mismatch`: another key is configured; never overwrite the stored value automatically.
 */
export function verifyKeyCheck(ring: KeyRing, stored: string): MacVerdict {
  return verifyHmac(ring, 'key-check', keyCheckText, stored);
}
