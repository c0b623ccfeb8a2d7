import type { Query } from '@svc/contract';
import { useEffect, useRef } from 'react';
import { paths } from '../../../../lib/paths.ts';
import { isRefusal } from '../../../../lib/problem.ts';
import { queryClient } from '../../../../lib/server-state.ts';
import { query as queryRead } from '../../../../requests/queries.ts';
import { toastDone, toastProblem } from '../../../../ui/feedback/toast.tsx';
import { useGo } from '../../../../ui/frame/go.ts';
import type { Draft } from '../../../../views/query-run/draft.ts';
import { useReplaceCheck } from './use-replace-check.tsx';
import type { useSave } from './use-save.ts';
import { useSaveCheck } from './use-save-check.tsx';

type Props = {
  readonly saved: Query | null;
  readonly draft: Draft;
  readonly save: ReturnType<typeof useSave>;
  /** Called before each save, so that the editor hides its notice. */
  readonly onBegin: () => void;
  /** Called after the first save of a new query. */
  readonly onMade: ((query: Query) => void) | undefined;
};

/** Save actions of the editor, with the questions before a save. The editor renders the questions. */
export function useSaveActions({ saved, draft, save, onBegin, onMade }: Props) {
  const go = useGo();
  const replace = useReplaceCheck(saved?.id);
  const check = useSaveCheck(saved?.id);
  const isLeft = useIsLeft();

  /** Saves the draft, then calls `then` if the user is still in the editor. Otherwise only a toast shows the result. */
  const saveThen = async (then: (query: Query) => void) => {
    onBegin();
    if (!(await replace.isToBeReplaced(save)) || !(await check.isToBeSaved(draft))) return;
    try {
      const query = await save.now();
      queryClient.setQueryData(queryRead(query.id).queryKey, query);
      toastDone(savedText(query), { to: paths.query(query.id), label: 'See it' });
      if (!isLeft.current) then(query);
    } catch (reason) {
      if (saved && isRefusal(reason, 'changed-meanwhile'))
        void queryClient.invalidateQueries({ queryKey: queryRead(saved.id).queryKey });
      // In the editor, the note above the text shows the refusal.
      if (isLeft.current) toastProblem(reason);
    }
  };
  const reportFirst = (query: Query) => {
    if (!saved) onMade?.(query);
  };
  return {
    save: () => void saveThen(reportFirst),
    saveAndSubscribe: () =>
      void saveThen((query) => {
        // A query without an approved version cannot have subscriptions.
        if (query.versionNumber === null) reportFirst(query);
        else go(paths.subscriptions({ new: 'yes', queryId: query.id }), { isSaved: true });
      }),
    questions: (
      <>
        {replace.question}
        {check.question}
      </>
    ),
  };
}

const savedText = ({ name, pendingVersion }: Query): string =>
  pendingVersion === null
    ? `“${name}” was saved.`
    : `Version ${pendingVersion.versionNumber} of “${name}” waits for approval.`;

/** Returns a ref that is true after the user has left the editor. */
function useIsLeft() {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}
