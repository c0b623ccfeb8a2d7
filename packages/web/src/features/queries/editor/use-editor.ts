import type { Query } from '@svc/contract';
import { useState } from 'react';
import { type Draft, parameterNames } from '../../../views/query-run/draft.ts';
import type { ParameterValue } from '../../../views/query-run/parameter-values.ts';
import { useDraft } from './draft/use-draft.ts';
import { useSqlNames } from './draft/use-sql-names.ts';
import { useMarks } from './runs/use-marks.ts';
import { useRuns } from './runs/use-runs.ts';
import { useTakeRun } from './runs/use-take-run.tsx';
import { useSave } from './saving/use-save.ts';
import { useSaveActions } from './saving/use-save-actions.tsx';

export type EditorProps = {
  readonly saved: Query | null;
  readonly start: Draft;
  /** Id of the version that waits for approval and has the text of `start`. Default: none. */
  readonly waitingId?: number | null;
  /** Called after the first save of a new query. The editor stays mounted although its address changes. */
  readonly onMade?: (query: Query) => void;
};

/** State of an editor, shared by its text, its side panel and its result. */
export type Editor = ReturnType<typeof useEditor>;

/** Combines the draft of an editor with its saves, its runs and their marks. */
export function useEditor({ saved, start, waitingId = null, onMade }: EditorProps) {
  const edited = useDraft(start);
  const { draft, shownKey, dispatch } = edited;
  const [values, setValues] = useState<Readonly<Record<string, ParameterValue>>>({});
  const [notice, setNotice] = useState<string | null>(null);
  const save = useSave(saved, { draft: start, waitingId }, draft);
  const saving = useSaveActions({ saved, draft, save, onBegin: () => setNotice(null), onMade });
  const runs = useRuns({ draft, values, onNotice: setNotice });
  const restoring = useTakeRun(edited, (restored, key) =>
    dispatch({ kind: 'replace', draft: restored, shownKey: key }),
  );
  const names = useSqlNames({ draft, shownKey, parameters: parameterNames(draft), seen: runs.seen });
  const marks = useMarks(runs.failure, runs.target, edited);
  return {
    edited,
    save,
    saving,
    runs,
    /** Restores an earlier run into the draft. */
    restoring,
    names,
    marks,
    /** Values of the parameters for the next run. */
    values,
    setValue: (name: string, value: ParameterValue) => setValues((before) => ({ ...before, [name]: value })),
    /** Reason why an action of the user had no effect. */
    notice,
    setNotice,
  };
}
