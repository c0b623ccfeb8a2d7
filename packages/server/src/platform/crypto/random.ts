import { randomBytes } from 'node:crypto';

/**
 * Where randomness comes from: a number of bytes in, that many bytes out. Passed in everywhere, so that a test can
 * decide it; production passes `systemRandomness`.
 */
export type Randomness = (byteCount: number) => Buffer;

/** The operating system's cryptographically secure generator. */
export const systemRandomness: Randomness = (byteCount) => randomBytes(byteCount);

const tokenBytesMin = 16;

/**
 * A token that cannot be guessed: random bytes in URL-safe base64 without padding.
 *
 * @param byteCount Bytes of randomness; 32 (43 characters) by default, 16 at least.
 */
export function randomToken(random: Randomness, byteCount = 32): string {
  if (!Number.isInteger(byteCount) || byteCount < tokenBytesMin)
    throw new RangeError(`A token needs at least ${tokenBytesMin} random bytes.`);
  return random(byteCount).toString('base64url');
}
