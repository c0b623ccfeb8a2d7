import { ConnectorError } from '../error.ts';

const answerCount = 10_000;
const atOnce = 16;

/** Number of runs by outcome, and the unexpected results: neither rows nor an error of a connector. */
export type HostileOutcomes = {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly unexpected: readonly unknown[];
};

/**
 * Reads 10,000 answers of a hostile server, 16 at the same time.
 *
 * @param read  reads one run to its last row
 * @param secret  text that no error may repeat
 */
export async function readHostileAnswers(
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
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  try {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let left = answerCount / atOnce; left > 0; left--) {
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
  for (let left = 1 + random(4); left > 0; left--) {
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
