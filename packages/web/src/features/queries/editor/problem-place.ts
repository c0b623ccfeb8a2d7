import { ProblemError } from '../../../lib/problem.ts';
import type { TextProblem } from '../../../views/sql/sql-editor.tsx';
import { textProblemOf } from '../../../views/sql/text-problem.ts';

/** Which text a refusal of a run points at: a step by its place, or the final query. */
export type ProblemPlace = TextProblem & { readonly step: number | 'final' };

/** Reads the place from a refusal; undefined when it names none. */
export function placeOf(error: unknown): ProblemPlace | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  for (const entry of error.problem.errors ?? []) {
    const step = /^\/steps\/(\d+)\/sql$/.exec(entry.path)?.[1];
    if (step === undefined && entry.path !== '/finalQuery') continue;
    return { step: step === undefined ? 'final' : Number(step), ...textProblemOf(entry.message) };
  }
  return undefined;
}

/** The parameter whose value a refusal of a run names; undefined when it names none. */
export function parameterOf(error: unknown): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  for (const entry of error.problem.errors ?? []) {
    const name = /^\/values\/(\w+)$/.exec(entry.path)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Where a text asks for a parameter; undefined where it does not. */
export function placeholderOf(sql: string, name: string, message: string): TextProblem | undefined {
  const at = new RegExp(String.raw`\{\{\s*${name}\s*\}\}`).exec(sql)?.index;
  if (at === undefined) return undefined;
  const before = sql.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
