import type { Answer } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import { conflict, Refusal } from '../../../platform/http/index.ts';
import type { AskDeps } from '../deps.ts';
import { requireOwnAnswer } from '../ownership.ts';
import { pickSource } from '../questions/pick-source.ts';
import { answerRequestOf } from '../questions/request.ts';
import { type AnswerRow, saveRows } from '../store.ts';
import { readAnswer } from './read.ts';
import { sealRows } from './rows.ts';

export type RerunDeps = Pick<
  AskDeps,
  'database' | 'rights' | 'vault' | 'answering' | 'sourcesOf' | 'settingsOf'
>;

/** Runs the statement of an answer of the caller again and returns the answer with its new rows. */
export const createRerun =
  (deps: RerunDeps) =>
  async (caller: Caller, id: number, signal: AbortSignal): Promise<Answer> => {
    await rerun(deps, await requireOwnAnswer(deps, caller, id), signal);
    return readAnswer(deps, deps.database, id);
  };

/** Runs the statement of an answer again and stores its rows, under the current gates and rights. */
export async function rerun(deps: RerunDeps, row: AnswerRow, signal: AbortSignal) {
  const { id, sql, projectId, dataSourceId } = row;
  if (row.state !== 'Answered' || sql === null || dataSourceId === null)
    throw conflict('answer-not-runnable', 'The answer has no statement that can be run.');
  await pickSource(deps, projectId, dataSourceId);
  const request = await answerRequestOf(deps, { ...row, isRun: true }, { signal, onStage: () => undefined });
  const result = await deps.answering.run(request, sql);
  if (result.kind === 'Refused') throw new Refusal('answer-not-run', { detail: result.message });
  const { columns, rows, truncatedBy } = result;
  const detail = { columns: [...columns], truncatedBy };
  await saveRows(deps.database, id, { ...sealRows(deps.vault, id, rows), detail });
  return { sql, result };
}
