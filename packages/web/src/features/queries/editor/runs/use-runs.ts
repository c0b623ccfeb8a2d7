import type { QueryPreview } from '@svc/contract';
import { useState } from 'react';
import { queryClient } from '../../../../lib/server-state.ts';
import { runDraft } from '../../../../requests/runs/query-runs.ts';
import { type Draft, type RunTarget, runOf, whyNotRun } from '../../../../views/query-run/draft.ts';
import { type ParameterValue, setValues } from '../../../../views/query-run/parameter-values.ts';
import { useRun } from '../../../../views/query-run/use-run.ts';
import { ownRunsKey } from '../../requests/runs.ts';
import type { SeenColumns } from '../draft/use-sql-names.ts';

export const wholeQuery: RunTarget = { kind: 'all' };

type Props = {
  readonly draft: Draft;
  readonly values: Readonly<Record<string, ParameterValue>>;
  /** Receives the reason why a run is impossible; null if the run begins. */
  readonly onNotice: (notice: string | null) => void;
};

/** Runs the draft or a part of it. Records the columns of the results for completion. */
export function useRuns({ draft, values, onNotice }: Props) {
  const { state, start, stop } = useRun();
  const [target, setTarget] = useState(wholeQuery);
  const [seen, setSeen] = useState<SeenColumns>({});
  const begin = (next: RunTarget) => {
    const refusal = whyNotRun(draft, next);
    const body = runOf(draft, next, setValues(values));
    onNotice(refusal ?? null);
    if (refusal !== undefined || !body) return;
    setTarget(next);
    void start(async (signal, runKey) => {
      try {
        const result = await runDraft(body, runKey, signal);
        const columns = columnsOf(draft, next, result);
        setSeen((before) => ({ ...before, ...columns }));
        return result;
      } finally {
        void queryClient.invalidateQueries({ queryKey: ownRunsKey });
      }
    });
  };
  return {
    state,
    /** Error of the last run; undefined if it has none. */
    failure: state.kind === 'failed' ? state.error : undefined,
    /** Part of the draft that ran last. */
    target,
    seen,
    begin,
    stop,
  };
}

/** Returns the columns of the step that ran. A run of a selection or of the whole query returns none. */
function columnsOf(draft: Draft, target: RunTarget, result: QueryPreview): SeenColumns {
  if (target.kind !== 'step' || target.selection !== null) return {};
  const step = draft.steps.find(({ key }) => key === target.key);
  if (step === undefined) return {};
  const columns = result.columns.map(({ name, databaseType }) => ({ name, type: databaseType }));
  return { [step.key]: { sql: step.sql, columns } };
}
