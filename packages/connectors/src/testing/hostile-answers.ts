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
