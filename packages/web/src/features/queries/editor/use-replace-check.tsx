import { getQuery, type Query } from '@svc/contract';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';

type Waiting = NonNullable<Query['pendingVersion']>;
type Question = {
  readonly waiting: Waiting;
  /** The new text equals the active text. */
  readonly isActive: boolean;
  readonly answer: (isConfirmed: boolean) => void;
};

type ReplaceCheck = {
  /**
   * Resolves to false if the author retains the waiting version, and while an earlier call has no answer. Rejects if the query
   * cannot be read.
   */
  readonly isToBeReplaced: (isActive: (query: Query) => boolean) => Promise<boolean>;
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

  const isToBeReplaced: ReplaceCheck['isToBeReplaced'] = async (isActive) => {
    if (queryId === undefined) return true;
    if (isChecking.current) return false;
    isChecking.current = true;
    try {
      const live = await call(getQuery, { params: { id: queryId } });
      const waiting = live.pendingVersion;
      if (!waiting?.isOwn) return true;
      return await new Promise((answer) => setQuestion({ waiting, isActive: isActive(live), answer }));
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
