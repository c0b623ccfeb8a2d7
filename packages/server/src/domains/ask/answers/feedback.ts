import type { FeedbackVerdict } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { proposeCandidate } from '../../golden-examples/index.ts';
import type { AskDeps } from '../deps.ts';
import { clientKeyOf } from '../owner-key.ts';
import { requireOwnAnswer } from '../ownership.ts';
import type { AnswerRow } from '../store.ts';
import { saveFeedback } from './feedback-store.ts';

type Deps = Pick<AskDeps, 'database' | 'rights' | 'audit'>;
type Feedback = { readonly verdict: FeedbackVerdict; readonly comment?: string; readonly sql?: string };

/** Stores the feedback of a user on an own answer. */
export const createGiveFeedback =
  (deps: Deps) =>
  async (by: CallerActor, id: number, feedback: Feedback): Promise<void> =>
    storeFeedback(deps, by, await requireOwnAnswer(deps, by.caller, id), feedback);

/** Stores the feedback of an AI client on its answer. */
export const createGiveClientFeedback =
  (deps: Deps) =>
  async (caller: Caller, id: number, feedback: Feedback): Promise<void> =>
    storeFeedback(deps, { caller }, await requireOwnAnswer(deps, caller, id, clientKeyOf(caller)), feedback);

async function storeFeedback(
  { database, audit }: Deps,
  by: CallerActor,
  row: AnswerRow,
  { verdict, comment, sql }: Feedback,
): Promise<void> {
  const { id, projectId } = row;
  if (row.finishedAt === null) throw conflict('answer-not-ended', 'The answer is still being worked out.');
  await database.transaction(async (tx) => {
    const feedbackId = await saveFeedback(tx, row, {
      userId: by.caller.userId,
      verdict,
      comment: comment?.trim() || null,
      rightSql: sql?.trim() || null,
    });
    await proposeCandidate(tx, feedbackId);
    await audit.record(tx, {
      event: 'ask.feedback_given',
      by,
      subject: { kind: 'answer', id },
      projectId,
      detail: { verdict },
    });
  });
}
