import { ConnectorError } from '../error.ts';

const answerCount = 10_000;
const atOnce = 16;

/** How the runs ended, with how many did so; and what neither gave rows nor ended with an error of a connector. */
export type HostileOutcomes = {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly unexpected: readonly unknown[];
};

/**
 * Reads 10,000 answers of a server that answers wrongly, 16 at once.
 *
 * @param read  one run to its last row
 * @param secret  what no error may repeat
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

/** A number below another one, from a test's own seed. */
export type Random = (below: number) => number;

/** A linear congruential generator: the same numbers for a seed each time. */
export function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes bytes at a place. */
type Change = (bytes: Buffer, at: number, random: Random) => Buffer;

/** Bytes that are changed in up to four places, by one of the changes each; never none. */
function changed(good: Buffer, random: Random, changes: readonly Change[]): Buffer {
  let bytes = Buffer.from(good);
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(bytes.length);
    bytes = Buffer.from(changes[random(changes.length)]?.(bytes, at, random) ?? bytes);
    if (bytes.length === 0) return Buffer.from('\n');
  }
  return bytes;
}

/** A byte of another value, an end, something nasty in between, a gap, a part twice. */
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

/** Bytes of any protocol that are changed in up to four places. */
export const mutatedBytes = (good: Buffer, random: Random, nasty: readonly Buffer[]): Buffer =>
  changed(good, random, changesOfBytes(nasty));

/** An answer of HTTP that is changed in up to four places. */
export const mutatedAnswer = (good: Buffer, random: Random, nasty: readonly string[]): Buffer =>
  changed(good, random, [...changesOfBytes(nasty), otherLength]);
