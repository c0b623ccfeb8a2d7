import { getQuery, type Query } from '@svc/contract';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../../../lib/call.ts';
import { ConfirmDialog } from '../../../../ui/form/confirm-dialog.tsx';
import type { useSave } from './use-save.ts';

type Waiting = NonNullable<Query['pendingVersion']>;
type Question = {
  readonly waiting: Waiting;
  /** The new text equals the active text. */
  readonly isActive: boolean;
  readonly answer: (isConfirmed: boolean) => void;
};

type Save = Pick<ReturnType<typeof useSave>, 'isDirty' | 'isUnapproved' | 'isActive' | 'fail'>;

type ReplaceCheck = {
  /**
   * Resolves to false if the author retains the waiting version, while an earlier call has no answer, and if the query cannot
   * be read. The save then shows the reason.
   */
  readonly isToBeReplaced: (save: Save) => Promise<boolean>;
  readonly question: ReactNode;
};

/**
 * Requests a confirmation before a save withdraws the author's own version that waits for approval.
 *
 * The check reads the current query, because another tab may have saved a version. It does not change the cache: the save
 * reports a change of another editor.
 */
export function useReplaceCheck(queryId: number | undefined): ReplaceCheck {
  const [question, setQuestion] = useState<Question | null>(null);
  const isChecking = useRef(false);

  const isToBeReplaced: ReplaceCheck['isToBeReplaced'] = async (save) => {
    // A save of the text that is active or that waits withdraws nothing.
    if (queryId === undefined || !(save.isDirty || save.isUnapproved)) return true;
    if (isChecking.current) return false;
    isChecking.current = true;
    try {
      const live = await call(getQuery, { params: { id: queryId } });
      const waiting = live.pendingVersion;
      if (!waiting?.isOwn) return true;
      return await new Promise((answer) => setQuestion({ waiting, isActive: save.isActive(live), answer }));
    } catch (reason) {
      save.fail(reason);
      return false;
    } finally {
      isChecking.current = false;
    }
  };
  const close = (isConfirmed: boolean) => {
    question?.answer(isConfirmed);
    setQuestion(null);
  };
  return {
    isToBeReplaced,
    question: question && (
      <ConfirmDialog
        title={`Replace version ${question.waiting.versionNumber}?`}
        act="Withdraw it and save"
        isDangerous={false}
        onConfirm={async () => close(true)}
        onClose={() => close(false)}
      >
        {`Your version ${question.waiting.versionNumber} waits for approval. This save withdraws it${question.isActive ? '. Its text is the active one, which needs no approval.' : ' and requests approval of the new text.'}`}
      </ConfirmDialog>
    ),
  };
}
