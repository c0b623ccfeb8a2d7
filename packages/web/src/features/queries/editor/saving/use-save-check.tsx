import { preflightDraft } from '@svc/contract';
import { useState } from 'react';
import { call } from '../../../../lib/call.ts';
import { queryClient } from '../../../../lib/server-state.ts';
import { subscriptions } from '../../../../requests/subscriptions.ts';
import { LazyPart, later } from '../../../../ui/feedback/lazy-part.tsx';
import { type Draft, runOf } from '../../../../views/query-run/draft.ts';
import type { NotReady } from './save-question.tsx';

type Question = NotReady & { readonly answer: (isSaved: boolean) => void };

const questionPart = later(() => import('./save-question.tsx').then(({ SaveQuestion }) => SaveQuestion));

const pageSize = '50';

/**
 * Checks a draft before a save of a query that subscriptions run. If the draft would not run, the user sees the subscriptions
 * and decides. A failed request does not prevent the save.
 */
export function useSaveCheck(queryId: number | undefined) {
  const [question, setQuestion] = useState<Question | null>(null);

  const isToBeSaved = async (draft: Draft): Promise<boolean> => {
    if (queryId === undefined) return true;
    const live = await queryClient
      .fetchQuery({ ...subscriptions({ queryId, pageSize }), staleTime: 0 })
      .catch(() => undefined);
    const [first] = live?.items ?? [];
    if (!live || !first) return true;
    const body = runOf(draft, { kind: 'all' }, first.parameters);
    const checked = body && (await call(preflightDraft, { body }).catch(() => undefined));
    if (!checked || checked.isReady) return true;
    const failed = checked.gates.filter((gate) => gate.verdict === 'Failed');
    return new Promise((answer) =>
      setQuestion({ failed, subscriptions: live.items, count: live.totalCount, answer }),
    );
  };

  const answer = (isSaved: boolean) => {
    question?.answer(isSaved);
    setQuestion(null);
  };
  return {
    isToBeSaved,
    question: question && (
      <LazyPart code={questionPart} onMissing={() => answer(false)}>
        {(SaveQuestion) => <SaveQuestion faults={question} onAnswer={answer} />}
      </LazyPart>
    ),
  };
}
