import type { AnswerExplanation } from '@svc/contract';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { AskDeps } from '../deps.ts';
import { requireOwnAnswer } from '../ownership.ts';
import { requireAsking } from '../questions/requirements.ts';
import { addUsage } from '../store.ts';
import { explainRows } from './explain-rows.ts';
import { type RerunDeps, rerun } from './rerun.ts';

/** Lets a model explain the rows of an answer, which are read and masked again. */
export const createExplain =
  (deps: RerunDeps & Pick<AskDeps, 'audit' | 'llm' | 'requireModel'>) =>
  async (by: CallerActor, id: number, signal: AbortSignal): Promise<AnswerExplanation> => {
    const { caller } = by;
    const row = await requireOwnAnswer(deps, caller, id);
    const { projectId, question } = row;
    const { rowsToModel } = await requireAsking(deps, projectId);
    if (rowsToModel !== 'Masked')
      throw conflict(
        'rows-kept-from-model',
        'The MCP settings of this project let no language model see rows. An Admin or a SecurityAdmin can set rowsToModel to Masked there.',
      );
    await deps.requireModel(caller, 'An explanation is written by a language model.');
    const { sql, result } = await rerun(deps, row, signal);
    const explanation = await explainRows(deps.llm, {
      projectId,
      answerId: id,
      question,
      sql,
      result,
      caller,
      signal,
      onUsage: (usage) => addUsage(deps.database, id, usage),
    });
    const { rowCount } = explanation;
    await deps.database.transaction((tx) =>
      deps.audit.record(tx, {
        event: 'ask.answer_explained',
        by,
        projectId,
        detail: { rowCount },
        subject: { kind: 'answer', id },
      }),
    );
    return explanation;
  };
