import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (value: string | Uint8Array) => createHash('sha256').update(value).digest();

/**
 * Whether two values are the same, in a time that tells nothing about where they differ, nor (through hashing both
 * first) about how long they are.
 */
export function equalsConstantTime(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

/** SHA-256 in lower-case hexadecimal; for values that hold enough randomness of their own to need no key. */
export function sha256Hex(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
