import type { CommandContext } from './database.ts';

/** How far some work on many tables is. */
type Place = {
  /** What is worked on now. */
  readonly name: string;
  /** How many are done. */
  readonly done: number;
  readonly total: number;
};

const stepsMax = 10;

/**
 * Tells of work on many tables: on a terminal in one line that is rewritten for each of them, elsewhere in a line for
 * each tenth, so that a log stays short.
 *
 * @param verb  what is done, such as `Writing`.
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
