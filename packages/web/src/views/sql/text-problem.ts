import type { TextProblem } from './sql-editor.tsx';

/** Parses the position from the service's message about a statement. Default: line 1, column 1. */
export function textProblemOf(message: string): TextProblem {
  const at = /\(line (\d+), column (\d+)\)$/.exec(message);
  return {
    line: Number(at?.[1] ?? 1),
    column: Number(at?.[2] ?? 1),
    message: message.replace(/ \(line \d+, column \d+\)$/, ''),
  };
}
