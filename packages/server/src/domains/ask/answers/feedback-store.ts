import type { FeedbackVerdict } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { AnswerRow } from '../store.ts';

/** Stores the feedback on an answer and replaces the author's earlier feedback. */
export async function saveFeedback(
  tx: Tx,
  answer: AnswerRow,
  feedback: {
    readonly userId: number | null;
    readonly verdict: FeedbackVerdict;
    readonly comment: string | null;
    readonly rightSql: string | null;
  },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.answer_feedback (answer_id, project_id, data_source_id, user_id, question, sql, right_sql, verdict,
       comment, basis)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (answer_id) do update set user_id = excluded.user_id, right_sql = excluded.right_sql,
       verdict = excluded.verdict, comment = excluded.comment, given_at = now()
     returning id`,
    [
      answer.id,
      answer.projectId,
      answer.dataSourceId,
      feedback.userId,
      answer.question,
      answer.sql,
      feedback.rightSql,
      feedback.verdict,
      feedback.comment,
      answer.basis,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('Feedback was kept without an id.');
  return row.id;
}
