import { ProblemError } from '../../../lib/problem.ts';
import type { TextProblem } from './sql-editor.tsx';

/** Which text a refusal of a run points at: a step by its place, or the final query. */
export type ProblemPlace = TextProblem & { readonly step: number | 'final' };

/** Reads the place from a refusal; undefined when it names none. */
export function placeOf(error: unknown): ProblemPlace | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  for (const entry of error.problem.errors ?? []) {
    const step = /^\/steps\/(\d+)\/sql$/.exec(entry.path)?.[1];
    if (step === undefined && entry.path !== '/finalQuery') continue;
    const at = /\(line (\d+), column (\d+)\)$/.exec(entry.message);
    return {
      step: step === undefined ? 'final' : Number(step),
      line: Number(at?.[1] ?? 1),
      column: Number(at?.[2] ?? 1),
      message: entry.message.replace(/ \(line \d+, column \d+\)$/, ''),
    };
  }
  return undefined;
}
