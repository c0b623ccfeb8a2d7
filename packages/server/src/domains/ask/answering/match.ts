import type { Database } from '../../../platform/db/index.ts';
import { exampleFor } from '../../golden-examples/index.ts';
import { execute, rowsOf, type StatementGates } from './execute.ts';
import { emptyOutcome, failed, type Outcome } from './outcome.ts';
import type { AnswerRequest } from './request.ts';

/** Answers with the golden example of the same question. Returns undefined if there is none. */
export async function answerByExample(
  deps: Pick<StatementGates, 'run'> & { readonly database: Database },
  request: AnswerRequest,
): Promise<Outcome | undefined> {
  request.onStage('Matching');
  const { projectId, dataSourceId, question } = request;
  const example = await exampleFor(deps.database, projectId, dataSourceId, question);
  if (!example || example.id === request.withoutExampleId) return undefined;
  const outcome = {
    ...emptyOutcome,
    basis: 'Checked',
    confidence: 'High',
    goldenExampleId: example.id,
  } as const;
  if (example.sql === null)
    return {
      ...outcome,
      state: 'CannotAnswer',
      missing: example.notes ?? 'People have said that the data does not answer this.',
    };
  const result = await execute(deps, request, example.sql);
  const end =
    result?.kind === 'Refused' ? failed(result.code, result.message) : { state: 'Answered' as const };
  return { ...outcome, sql: example.sql, ...rowsOf(result), ...end };
}
