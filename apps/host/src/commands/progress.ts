import type { CommandContext } from './database.ts';

/** Progress of work on many tables. */
type Place = {
  /** Name of the current table. */
  readonly name: string;
  /** Number of completed tables. */
  readonly done: number;
  readonly total: number;
};

const stepsMax = 10;

/**
 * Reports progress of work on many tables. On a terminal it rewrites one line for each table. Elsewhere it writes a
 * line for each tenth of them, so that a log stays short.
 *
 * @param verb  name of the work, such as `Writing`.
 */
export function tellProgress(
  { say, rewrite }: Pick<CommandContext, 'say' | 'rewrite'>,
  verb: string,
): (place: Place) => void {
  let toldSteps = 0;
  return ({ name, done, total }) => {
    if (rewrite) return rewrite(`${verb} ${name} (${Math.min(done + 1, total)} of ${total})`);
    const steps = Math.floor((done * stepsMax) / total);
    if (steps <= toldSteps) return;
    toldSteps = steps;
    say(`${verb}: ${done} of ${total} tables.`);
  };
}
