import { pbkdf2 as pbkdf2Callback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Randomness } from '../../platform/crypto/index.ts';
import { unavailable } from '../../platform/http/index.ts';

const pbkdf2 = promisify(pbkdf2Callback);

/**
 * Hashes passwords with bounded concurrency, so that a flood of sign-ins cannot block other work on the same threads.
 */
export type PasswordHashing = {
  /** Returns the text to store: algorithm, iterations, salt and hash. Throws a 503 refusal when too many calls wait. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Returns true if the password matches the stored hash. A wrong password costs as much as the most expensive known
   * hash, with or without a stored hash. The response time therefore does not reveal which accounts exist.
   */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
  /** Returns true when the stored hash has other parameters than new hashes. */
  readonly isOutdated: (stored: string) => boolean;
};

const algorithm = 'pbkdf2-sha256';
const saltBytes = 32;
const hashBytes = 32;
const stored = /^pbkdf2-sha256\$(\d{1,9})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

/** Two of libuv's four threads. The others remain free for file and DNS operations. */
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

/** Creates PBKDF2-HMAC-SHA-256 hashing with a salt of 32 bytes. The stored text contains the parameters. */
export function createPasswordHashing(options: { iterations: number; random: Randomness }): PasswordHashing {
  const { iterations, random } = options;
  const inTurn = createTurns();
  const derive = (password: string, salt: Buffer, count: number, bytes: number): Promise<Buffer> =>
    inTurn(() => pbkdf2(password, salt, count, bytes, 'sha256'));
  const dummySalt = random(saltBytes);
  // Hashes from a time with a higher setting cost more than new hashes.
  let dearest = iterations;

  return {
    hash: async (password) => {
      const salt = random(saltBytes);
      const hash = await derive(password, salt, iterations, hashBytes);
      return [algorithm, iterations, salt.toString('base64'), hash.toString('base64')].join('$');
    },
    verify: async (password, text) => {
      const parsed = text === null ? undefined : parse(text);
      if (!parsed) {
        await derive(password, dummySalt, dearest, hashBytes);
        return false;
      }
      dearest = Math.max(dearest, parsed.iterations);
      const hash = await derive(password, parsed.salt, parsed.iterations, parsed.hash.length);
      if (timingSafeEqual(hash, parsed.hash)) return true;
      const missing = dearest - parsed.iterations;
      if (missing > 0) await derive(password, dummySalt, missing, hashBytes);
      return false;
    },
    isOutdated: (text) => {
      const parsed = parse(text);
      return parsed?.iterations !== iterations || parsed.salt.length !== saltBytes;
    },
  };
}

/** Creates a limiter: at most `atOnceMax` calls run and `waitingMax` calls wait. It refuses further calls. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw unavailable('More people are signing in than can be checked at once. Try again in a moment.');
      // A finished call passes its place to the next call, so `running` does not change.
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
