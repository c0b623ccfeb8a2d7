/** Splits a text into one statement per line. `⏎` represents a line break inside a statement. */
export const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '');

/** Returns the same writes, hidden in ways that have deceived filters elsewhere. */
export const hidden = (writes: readonly string[]): string[] =>
  writes.flatMap((write) => [
    `select 1; ${write}`,
    `select 1;\n-- harmless\n${write};`,
    `/* select */ ${write}`,
    `COMMIT; ${write}`,
  ]);
