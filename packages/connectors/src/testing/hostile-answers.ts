import { expect, inject, it } from 'vitest';
import { ConnectorError } from '../error.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Number of hostile answers per engine. `trials/hostile-servers/run.ts` provides it. */
    hostileAnswers?: number;
  }
}

const answerCount = inject('hostileAnswers') ?? 2_000;
const atOnce = 16;
/** Limit for a hanging run. Some answers need several TLS handshakes, with both sides in this process. */
const hangMs = 300_000 + answerCount * 90;

/** Number of runs by outcome, and the unexpected results: neither rows nor an error of a connector. */
type HostileOutcomes = {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly unexpected: readonly unknown[];
};

export type HostileRun = {
  /** Sets the answers of the server. The generator determines their sequence. */
  readonly begin: (random: Random) => void;
  /** Reads one run to its last row, with a time limit that a busy machine does not reach. */
  readonly read: () => Promise<readonly unknown[]>;
  /** Text that no error may repeat. */
  readonly secret: string;
  /** Results and errors that some of the answers must have, at least five. */
  readonly expected: readonly string[];
  /** Share of answers that may lead to a wait until the time limit. Default 0. */
  readonly timedOutShareMax?: number;
};

/** Adds the test that reads many malformed answers of a hostile server. */
export function itSurvivesMalformedResponses(run: HostileRun): void {
  const { begin, read, secret, expected, timedOutShareMax = 0 } = run;
  it(
    `each of ${answerCount} malformed responses ends with rows or an error, and the process survives`,
    async () => {
      begin(generator(20_261_125));
      const { outcomes, unexpected } = await readHostileAnswers(read, secret);
      expect(unexpected).toEqual([]);
      expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(answerCount);
      // The answers must be hostile enough for many kinds of failures, and harmless enough for some results.
      expect([...outcomes.keys()]).toEqual(expect.arrayContaining([...expected]));
      expect(outcomes.get('timed-out') ?? 0).toBeLessThanOrEqual(answerCount * timedOutShareMax);
    },
    hangMs,
  );
}

/** Reads the answers of a hostile server, 16 at the same time. */
async function readHostileAnswers(
  read: () => Promise<readonly unknown[]>,
  secret: string,
): Promise<HostileOutcomes> {
  const unexpected: unknown[] = [];
  const outcomes = new Map<string, number>();
  const note = (error: unknown) => void unexpected.push(error);
  const outcomeOf = (error: unknown): string => {
    if (!(error instanceof ConnectorError)) note(error);
    if (String(error).includes(secret)) note(new Error('It tells the secret.'));
    return error instanceof ConnectorError ? error.code : 'another error';
  };
  let remaining = answerCount;
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  try {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (remaining > 0) {
          remaining--;
          const outcome = await read().then((rows) => `${rows.length} rows`, outcomeOf);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }),
    );
  } finally {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
  }
  return { outcomes, unexpected };
}

/** Returns an integer below `below`. The test's own seed determines the sequence. */
export type Random = (below: number) => number;

/** Creates a linear congruential generator: a seed always gives the same numbers. */
export function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes bytes at a position. */
type Change = (bytes: Buffer, at: number, random: Random) => Buffer;

/** Changes bytes in one to four positions. The result is never empty. */
function changed(good: Buffer, random: Random, changes: readonly Change[]): Buffer {
  let bytes = Buffer.from(good);
  for (let remaining = 1 + random(4); remaining > 0; remaining--) {
    const at = random(bytes.length);
    bytes = Buffer.from(changes[random(changes.length)]?.(bytes, at, random) ?? bytes);
    if (bytes.length === 0) return Buffer.from('\n');
  }
  return bytes;
}

/** Changes: another value of a byte, a cut, an inserted hostile text, a gap, a repeated part. */
const changesOfBytes = (nasty: readonly (Buffer | string)[]): readonly Change[] => [
  (bytes, at, random) => {
    bytes[at] = random(256);
    return bytes;
  },
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) =>
    Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(nasty[random(nasty.length)] ?? ''),
      bytes.subarray(at),
    ]),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(20))]),
  (bytes, at) => Buffer.concat([bytes, bytes.subarray(at)]),
];

const lengths = ['transfer-encoding: chunked', 'content-length: 9', 'content-length: -1', ''];

const otherLength: Change = (bytes, _at, random) =>
  Buffer.from(
    bytes.toString('latin1').replace(/content-length: \d+/, lengths[random(lengths.length)] ?? ''),
    'latin1',
  );

/** Changes bytes of any protocol in up to four positions. */
export const mutatedBytes = (good: Buffer, random: Random, nasty: readonly Buffer[]): Buffer =>
  changed(good, random, changesOfBytes(nasty));

/** Changes an HTTP answer in up to four positions. */
export const mutatedAnswer = (good: Buffer, random: Random, nasty: readonly string[]): Buffer =>
  changed(good, random, [...changesOfBytes(nasty), otherLength]);
