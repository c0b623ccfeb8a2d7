import { useMemo, useState } from 'react';
import { problemOf } from '../../../../lib/problem.ts';
import type { Draft, RunTarget } from '../../../../views/query-run/draft.ts';
import type { TextProblem } from '../../../../views/sql/sql-editor.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { parameterOf, placeholderOf, placeOf } from './problem-place.ts';

type Marks = {
  /** Mark in the shown text. It stays at the position that the run reported, regardless of later edits. */
  readonly problem: TextProblem | undefined;
  /** Parameter whose value the run refused. */
  readonly parameter: string | undefined;
};

/** Returns the marks of a failed run in the text that is shown. */
export function useMarks(
  failure: unknown,
  target: RunTarget,
  { draft, shownKey, text }: Pick<EditedDraft, 'draft' | 'shownKey' | 'text'>,
): Marks {
  const [failed, setFailed] = useState({ failure, text });
  if (failed.failure !== failure) setFailed({ failure, text });
  const place = useMemo(() => placeOf(failure), [failure]);
  const parameter = parameterOf(failure);
  const isPlaceShown = place !== undefined && isShown(place.step, target, draft, shownKey);
  // The editor moves its cursor to a new mark, so an unchanged mark must remain the same object.
  const problem = useMemo(() => {
    if (parameter === undefined) return isPlaceShown ? place : undefined;
    return placeholderOf(failed.text, parameter, problemOf(failure).detail ?? '');
  }, [isPlaceShown, place, parameter, failure, failed.text]);
  return { problem, parameter };
}

/** Returns true if the shown text has the problem. A run of one step reports it as the first step. */
function isShown(step: number | 'final', target: RunTarget, draft: Draft, shownKey: string): boolean {
  if (target.kind === 'step') return target.selection === null && target.key === shownKey;
  return step === 'final' ? shownKey === 'final' : draft.steps[step]?.key === shownKey;
}
