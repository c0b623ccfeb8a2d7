/** One statement a line; `⏎` stands for a line break inside one. */
export const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '');

/** The same writes, hidden in the ways that have fooled filters elsewhere. */
export const hidden = (writes: readonly string[]): string[] =>
  writes.flatMap((write) => [
    `select 1; ${write}`,
    `select 1;\n-- harmless\n${write};`,
    `/* select */ ${write}`,
    `COMMIT; ${write}`,
  ]);
