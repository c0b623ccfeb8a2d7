import type { OwnRun } from '@svc/contract';
import { type ReactNode, useState } from 'react';
import { plural } from '../../../../lib/format.ts';
import { ConfirmDialog } from '../../../../ui/form/confirm-dialog.tsx';
import { type Draft, type DraftStep, newStep } from '../../../../views/query-run/draft.ts';
import { type DraftState, finalKey } from '../draft/draft-state.ts';

type Take = {
  /** Restores a run, or shows the question first. */
  readonly begin: (run: OwnRun) => void;
  /** Confirms the replacement of all steps. The editor renders this dialog. */
  readonly question: ReactNode;
};

/** Converts the steps of a run to new steps of a draft. */
const stepsOf = (run: OwnRun): readonly DraftStep[] =>
  run.steps.map((step) => ({
    // The user selects another source if the project no longer has the source.
    ...newStep(step.dataSourceName === null ? null : step.dataSourceId, step.sql),
    name: step.name ?? '',
  }));

const isEmpty = ({ steps, finalQuery }: Draft): boolean =>
  (finalQuery ?? '').trim() === '' && steps.every(({ sql }) => sql.trim() === '');

/**
 * Restores a run into the editor. A single statement replaces the text of the shown step, which the editor can undo. A run
 * of several steps replaces all steps, after a confirmation if the draft has text.
 */
export function useTakeRun(
  { draft, shownKey }: DraftState,
  onTake: (draft: Draft, shownKey: string) => void,
): Take {
  const [unconfirmed, setUnconfirmed] = useState<OwnRun | null>(null);
  const takeAll = (run: OwnRun) => {
    const steps = stepsOf(run);
    onTake({ ...draft, steps, finalQuery: run.finalQuery }, steps[0]?.key ?? finalKey);
  };
  const begin = (run: OwnRun) => {
    const [only, ...others] = stepsOf(run);
    const target = draft.steps.find(({ key }) => key === shownKey) ?? draft.steps[0];
    const isSingle = others.length === 0 && run.finalQuery === null;
    if (only && target && isSingle) {
      const restored = { ...target, sql: only.sql, dataSourceId: only.dataSourceId ?? target.dataSourceId };
      const steps = draft.steps.map((step) => (step.key === target.key ? restored : step));
      onTake({ ...draft, steps }, target.key);
    } else if (isEmpty(draft)) takeAll(run);
    else setUnconfirmed(run);
  };
  return {
    begin,
    question: unconfirmed && (
      <ConfirmDialog
        title="Replace all steps?"
        act="Replace steps"
        onConfirm={async () => takeAll(unconfirmed)}
        onClose={() => setUnconfirmed(null)}
      >
        {`What ran had ${plural(unconfirmed.steps.length, 'step')}${unconfirmed.finalQuery === null ? '' : ' and a final query'}. They take the place of everything that is written here now.`}
      </ConfirmDialog>
    ),
  };
}
