import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KeyPurpose, KeyRing } from './key-ring.ts';

const shape = /^v1\.([0-9a-f]{12})\.([0-9a-f]{64})$/;
const keyCheckText = ['key check'];

/** What is authenticated: parts in an order. Two different lists never have the same code. */
export type MacParts = readonly (string | Uint8Array)[];

function authenticate(key: KeyObject, parts: MacParts): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    // Lengths keep ['ab', 'c'] and ['a', 'bc'] apart.
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    mac.update(length).update(bytes);
  }
  return mac.digest();
}

/** HMAC-SHA-256 of the parts under the current key of a purpose, as `v1.<keyId>.<64 hexadecimal characters>`. */
export function hmac(ring: KeyRing, purpose: KeyPurpose, parts: MacParts): string {
  return `v1.${ring.current.id}.${authenticate(ring.current.derive(purpose), parts).toString('hex')}`;
}

/**
 * How a stored code relates to the parts. `Current` and `Previous`: it matches, under the current or an earlier key.
 * `UnknownKey`: made under a key that is not in the ring. `Mismatch`: anything else, a text that is no code included.
 */
export type MacVerdict = 'Current' | 'Previous' | 'UnknownKey' | 'Mismatch';

/** Compares a stored code of `hmac()` with the parts, in constant time, under the key that made it. */
export function verifyHmac(ring: KeyRing, purpose: KeyPurpose, parts: MacParts, stored: string): MacVerdict {
  const [, keyId = '', hex = ''] = shape.exec(stored) ?? [];
  if (keyId === '') return 'Mismatch';
  const key = ring.byId(keyId);
  if (!key) return 'UnknownKey';
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), authenticate(key.derive(purpose), parts))) return 'Mismatch';
  return keyId === ring.current.id ? 'Current' : 'Previous';
}

/** Hexadecimal characters of a fingerprint (spec 3 section 8). */
export const fingerprintCharacters = 12;

/**
 * A short code by which a person can see that two secrets are the same or differ, without seeing them. It is too
 * short to authenticate anything, and changes with the encryption key.
 */
export function fingerprint(ring: KeyRing, parts: MacParts): string {
  return authenticate(ring.current.derive('fingerprint'), parts)
    .toString('hex')
    .slice(0, fingerprintCharacters);
}

/**
 * A value to store once in the database, by which a later start sees whether it has the key that the stored secrets
 * were made with. It reveals nothing about the key.
 */
export function makeKeyCheck(ring: KeyRing): string {
  return hmac(ring, 'key-check', keyCheckText);
}

/**
 * Compares the stored key-check value with the ring. `Current`: all is well. `Previous`: a rotation is under way.
 * `UnknownKey` or `Mismatch`: the configured key is another one; never write a new value over it by itself.
 */
export function verifyKeyCheck(ring: KeyRing, stored: string): MacVerdict {
  return verifyHmac(ring, 'key-check', keyCheckText, stored);
}
