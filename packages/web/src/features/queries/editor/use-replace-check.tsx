import { getQuery, type Query } from '@svc/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';

type Waiting = NonNullable<Query['pendingVersion']>;
type Question = { readonly waiting: Waiting; readonly answer: (isConfirmed: boolean) => void };

type ReplaceCheck = {
  /** Resolves to false when the author keeps the waiting version. */
  readonly isToBeReplaced: () => Promise<boolean>;
  readonly question: ReactNode;
};

/**
 * Asks the author before a save withdraws the author's own version that waits for approval.
 *
 * The check reads the query anew, because another tab may have saved meanwhile. It leaves the cache alone: the save reports
 * a change of another editor. A failed read asks nothing: the save itself then reports the failure.
 */
export function useReplaceCheck(queryId: number | undefined): ReplaceCheck {
  const [asked, setAsked] = useState<Question | null>(null);

  const isToBeReplaced = async (): Promise<boolean> => {
    if (queryId === undefined) return true;
    const live = await call(getQuery, { params: { id: queryId } }).catch(() => undefined);
    const waiting = live?.pendingVersion;
    if (!waiting?.isOwn) return true;
    return new Promise((answer) => setAsked({ waiting, answer }));
  };
  const close = (isConfirmed: boolean) => {
    asked?.answer(isConfirmed);
    setAsked(null);
  };
  return {
    isToBeReplaced,
    question: asked && (
      <ConfirmDialog
        title={`Replace version ${asked.waiting.versionNumber}?`}
        act="Withdraw it and save"
        isDangerous={false}
        onConfirm={async () => close(true)}
        onClose={() => close(false)}
      >
        {`Your version ${asked.waiting.versionNumber} waits for approval. This save withdraws it and requests approval of the new text.`}
      </ConfirmDialog>
    ),
  };
}
