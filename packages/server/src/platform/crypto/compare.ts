import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (value: string | Uint8Array) => createHash('sha256').update(value).digest();

/**
 * Compares two values in constant time. The duration reveals neither the first difference nor the lengths, because
 * both values are hashed first.
 */
export function equalsConstantTime(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

/**
 * Returns the SHA-256 in lower-case hexadecimal. Use it only for values with enough randomness of their own,
 * because no key is involved.
 */
export function sha256Hex(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
