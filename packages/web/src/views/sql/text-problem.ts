import type { TextProblem } from './sql-editor.tsx';

/** Reads the place from what the service says of a statement; without one it is the beginning. */
export function textProblemOf(said: string): TextProblem {
  const at = /\(line (\d+), column (\d+)\)$/.exec(said);
  return {
    line: Number(at?.[1] ?? 1),
    column: Number(at?.[2] ?? 1),
    message: said.replace(/ \(line \d+, column \d+\)$/, ''),
  };
}
