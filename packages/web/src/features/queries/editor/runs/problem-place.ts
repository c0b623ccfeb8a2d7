import { ProblemError } from '../../../../lib/problem.ts';
import type { TextProblem } from '../../../../views/sql/sql-editor.tsx';
import { textProblemOf } from '../../../../views/sql/text-problem.ts';

/** Position of a refusal in the text of a step, by its index, or of the final query. */
export type ProblemPlace = TextProblem & { readonly step: number | 'final' };

/** Returns the position in the refusal of a run; undefined if it names none. */
export function placeOf(error: unknown): ProblemPlace | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  for (const entry of error.problem.errors ?? []) {
    const step = /^\/steps\/(\d+)\/sql$/.exec(entry.path)?.[1];
    if (step === undefined && entry.path !== '/finalQuery') continue;
    return { step: step === undefined ? 'final' : Number(step), ...textProblemOf(entry.message) };
  }
  return undefined;
}

/** Returns the parameter whose value the refusal of a run names; undefined if it names none. */
export function parameterOf(error: unknown): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  for (const entry of error.problem.errors ?? []) {
    const name = /^\/values\/(\w+)$/.exec(entry.path)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Returns the position of the first placeholder of a parameter; undefined if the text has none. */
export function placeholderOf(sql: string, name: string, message: string): TextProblem | undefined {
  const at = new RegExp(String.raw`\{\{\s*${name}\s*\}\}`).exec(sql)?.index;
  if (at === undefined) return undefined;
  const before = sql.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
