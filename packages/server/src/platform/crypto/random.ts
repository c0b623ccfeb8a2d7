import { randomBytes } from 'node:crypto';

/**
 * Source of randomness: returns the requested number of bytes. Injected, so that tests control it; production
 * passes `systemRandomness`.
 */
export type Randomness = (byteCount: number) => Buffer;

/** The operating system's cryptographically secure generator. */
export const systemRandomness: Randomness = (byteCount) => randomBytes(byteCount);

const tokenBytesMin = 16;

/**
 * Returns an unguessable token: random bytes in URL-safe base64 without padding.
 *
 * @param byteCount Bytes of randomness. Default 32 (43 characters), minimum 16.
 */
export function randomToken(random: Randomness, byteCount = 32): string {
  if (!Number.isInteger(byteCount) || byteCount < tokenBytesMin)
    throw new RangeError(`A token needs at least ${tokenBytesMin} random bytes.`);
  return random(byteCount).toString('base64url');
}
