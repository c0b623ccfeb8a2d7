import type { AnswerRequest } from '../answering/request.ts';
import type { AskDeps } from '../deps.ts';
import { userIdOf } from '../owner-key.ts';
import { type AnswerRow, answersOf } from '../store.ts';

const rowsMax = 100;
const turnsMax = 3;

/** Returns the request for an answer, with the earlier turns of its conversation. */
export async function answerRequestOf(
  { database, settingsOf }: Pick<AskDeps, 'database' | 'settingsOf'>,
  row: AnswerRow,
  call: Pick<AnswerRequest, 'signal' | 'onStage'>,
): Promise<AnswerRequest> {
  const earlier = (await answersOf(database, row.conversationId)).filter(({ id }) => id < row.id);
  const { candidates, answersOnlyChecked } = await settingsOf(row.projectId);
  return {
    candidates,
    isCheckedOnly: answersOnlyChecked,
    ...call,
    callerId: `ask ${row.ownerKey}`,
    projectId: row.projectId,
    dataSourceId: row.dataSourceId ?? 0,
    question: row.question,
    isRun: row.isRun,
    userId: userIdOf(row.ownerKey),
    purpose: 'Ask',
    rowsMax,
    turns: earlier.flatMap(({ question, sql }) => (sql === null ? [] : [{ question, sql }])).slice(-turnsMax),
  };
}
