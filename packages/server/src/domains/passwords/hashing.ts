import { pbkdf2 as pbkdf2Callback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Randomness } from '../../platform/crypto/index.ts';
import { unavailable } from '../../platform/http/index.ts';

const pbkdf2 = promisify(pbkdf2Callback);

/** Hashing of passwords: bounded, so that a flood of sign-ins cannot hold up what else runs on the same threads. */
export type PasswordHashing = {
  /** The text to store: algorithm, iterations, salt and hash. Throws a 503 refusal when too many are waiting. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether the password is the stored one. A wrong one costs the work of the dearest hash that is known, whether
   * there is a stored hash or not and whatever its parameters: time tells nobody which accounts exist.
   */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
  /** True when the stored hash was made with other parameters than new ones are. */
  readonly isOutdated: (stored: string) => boolean;
};

const algorithm = 'pbkdf2-sha256';
const saltBytes = 32;
const hashBytes = 32;
const stored = /^pbkdf2-sha256\$(\d{1,9})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

/** Two of libuv's four threads: the others stay free for files and names. */
const atOnceMax = 2;
const waitingMax = 40;

type Parsed = { readonly iterations: number; readonly salt: Buffer; readonly hash: Buffer };

function parse(text: string): Parsed | undefined {
  const [, iterations, salt, hash] = stored.exec(text) ?? [];
  if (iterations === undefined || salt === undefined || hash === undefined) return undefined;
  return {
    iterations: Number(iterations),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** PBKDF2-HMAC-SHA-256 with a salt of 32 bytes; the parameters travel in the stored text. */
export function createPasswordHashing(options: { iterations: number; random: Randomness }): PasswordHashing {
  const { iterations, random } = options;
  const inTurn = createTurns();
  const derive = (password: string, salt: Buffer, count: number, bytes: number): Promise<Buffer> =>
    inTurn(() => pbkdf2(password, salt, count, bytes, 'sha256'));
  const dummySalt = random(saltBytes);
  // Hashes that were made while the setting was higher cost more than new ones.
  let dearest = iterations;

  return {
    hash: async (password) => {
      const salt = random(saltBytes);
      const hash = await derive(password, salt, iterations, hashBytes);
      return [algorithm, iterations, salt.toString('base64'), hash.toString('base64')].join('$');
    },
    verify: async (password, text) => {
      const known = text === null ? undefined : parse(text);
      if (!known) {
        await derive(password, dummySalt, dearest, hashBytes);
        return false;
      }
      dearest = Math.max(dearest, known.iterations);
      const hash = await derive(password, known.salt, known.iterations, known.hash.length);
      if (timingSafeEqual(hash, known.hash)) return true;
      const missing = dearest - known.iterations;
      if (missing > 0) await derive(password, dummySalt, missing, hashBytes);
      return false;
    },
    isOutdated: (text) => {
      const known = parse(text);
      return known?.iterations !== iterations || known.salt.length !== saltBytes;
    },
  };
}

/** Lets a few pieces of work run at once and a few more wait; refuses the rest. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw unavailable('More people are signing in than can be checked at once. Try again in a moment.');
      // The one who leaves hands over its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
