import type { OwnRun } from '@svc/contract';
import { type ReactNode, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { type Draft, type DraftStep, newStep } from '../../../views/query-run/draft.ts';

type Take = {
  readonly ask: (run: OwnRun) => void;
  /** Asks before what is written in other steps is lost; drawn by the editor. */
  readonly question: ReactNode;
};

/** The steps of a run as those of a draft: they are new ones, whose texts are known. */
const stepsOf = (run: OwnRun): readonly DraftStep[] =>
  run.steps.map((step) => ({
    // A source that the project does not hold any more is chosen anew.
    ...newStep(step.dataSourceName === null ? null : step.dataSourceId, step.sql),
    name: step.name ?? '',
  }));

const isEmpty = ({ steps, finalQuery }: Draft): boolean =>
  (finalQuery ?? '').trim() === '' && steps.every(({ sql }) => sql.trim() === '');

/**
 * Brings a run back into the editor. A single statement takes the place of the text that is shown, which the editor
 * can undo; a run of several parts takes the place of all of them, which is asked about.
 */
export function useTakeRun(
  draft: Draft,
  present: string,
  onTake: (draft: Draft, present: string) => void,
): Take {
  const [asked, setAsked] = useState<OwnRun | null>(null);
  const takeAll = (run: OwnRun) => {
    const steps = stepsOf(run);
    onTake({ ...draft, steps, finalQuery: run.finalQuery }, steps[0]?.key ?? 'final');
  };
  const ask = (run: OwnRun) => {
    const [only, ...others] = stepsOf(run);
    const target = draft.steps.find(({ key }) => key === present) ?? draft.steps[0];
    const isSingle = others.length === 0 && run.finalQuery === null;
    if (only && target && isSingle) {
      const taken = { ...target, sql: only.sql, dataSourceId: only.dataSourceId ?? target.dataSourceId };
      const steps = draft.steps.map((step) => (step.key === target.key ? taken : step));
      onTake({ ...draft, steps }, target.key);
    } else if (isEmpty(draft)) takeAll(run);
    else setAsked(run);
  };
  return {
    ask,
    question: asked && (
      <ConfirmDialog
        title="Replace all steps?"
        act="Replace steps"
        onConfirm={async () => takeAll(asked)}
        onClose={() => setAsked(null)}
      >
        {`What ran had ${plural(asked.steps.length, 'step')}${asked.finalQuery === null ? '' : ' and a final query'}. They take the place of everything that is written here now.`}
      </ConfirmDialog>
    ),
  };
}
