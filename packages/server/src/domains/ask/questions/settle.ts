import type { Outcome } from '../answering/outcome.ts';
import type { AnswerRequest } from '../answering/request.ts';
import { sealRows } from '../answers/rows.ts';
import type { AnswerSignal, AskDeps } from '../deps.ts';
import { endAnswer } from '../store.ts';
import { endOf } from './ends.ts';

export type SettleDeps = Pick<AskDeps, 'database' | 'clock' | 'vault' | 'answering' | 'learn'>;

/** Answers a question and stores the result. @param beforeStoring  Called when the outcome is available. */
export async function answerAndStore(
  deps: SettleDeps,
  id: number,
  request: AnswerRequest,
  beforeStoring: () => Promise<void> = async () => undefined,
): Promise<void> {
  const startedAt = deps.clock.now();
  let cost: number | null = null;
  const onCost = (part: number): void => {
    cost = (cost ?? 0) + part;
  };
  const outcome = await deps.answering.answer({ ...request, onCost });
  await beforeStoring();
  const durationMs = deps.clock.now().getTime() - startedAt.getTime();
  await endAnswer(deps.database, id, {
    ...endOf(outcome, durationMs),
    cost,
    rows: outcome.rows && sealRows(deps.vault, id, outcome.rows),
  });
  const signal = signalOf(id, request, outcome);
  if (signal) await deps.learn(signal);
}

/** Returns the signal for learning. A failure before there was a statement is no signal about the data. */
function signalOf(
  answerId: number,
  { projectId, dataSourceId, userId, callerId }: AnswerRequest,
  { sql: statement, state, failure }: Outcome,
): AnswerSignal | undefined {
  if (statement === null && state !== 'CannotAnswer') return undefined;
  return {
    projectId,
    dataSourceId,
    statement,
    answerId,
    callerKey: userId === null ? callerId : `user:${userId}`,
    outcome: state === 'Answered' ? 'Succeeded' : (failure?.code ?? state),
  };
}
