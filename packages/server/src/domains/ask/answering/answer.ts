import type { Database } from '../../../platform/db/index.ts';
import { exampleFor } from '../../golden-examples/index.ts';
import { groundingOf, type ReadKnowledge } from '../../grounding/index.ts';
import { checkAndExecute, type StatementResult } from './execute.ts';
import { generate } from './generate.ts';
import { answerByExample } from './match.ts';
import { emptyOutcome, type Outcome } from './outcome.ts';
import { type Context, executeWithRepairs, type RepairDeps } from './repair.ts';
import type { AnswerRequest } from './request.ts';
import { vote } from './vote.ts';

export type AnsweringDeps = RepairDeps & {
  readonly database: Database;
  readonly readKnowledge: ReadKnowledge;
  /** Returns true if a column of this name is masked. */
  readonly isPersonal: (column: string) => boolean;
};

export type Answering = ReturnType<typeof createAnswering>;

/**
 * Answers questions with the statement of a golden example, or with a generated one. A model writes it from the metadata
 * of the source, and it must pass the gates. A model sees no row and has no other effect.
 */
export const createAnswering = (deps: AnsweringDeps) => ({
  /** Returns true if a checked answer exists, so that no model is needed. */
  hasCheckedAnswer: async (projectId: number, dataSourceId: number, question: string): Promise<boolean> =>
    (await exampleFor(deps.database, projectId, dataSourceId, question)) !== undefined,

  answer: async (request: AnswerRequest): Promise<Outcome> =>
    (await answerByExample(deps, request)) ?? answerByModel(deps, request),

  /** Runs the statement of an earlier answer. It passes the gates again. */
  run: async (request: AnswerRequest, sql: string): Promise<StatementResult> => {
    const execution = await checkAndExecute(deps, request, sql);
    if ('refusal' in execution) return { kind: 'Refused', ...execution.refusal };
    return (
      execution.result ?? { kind: 'Refused', code: 'not-run', message: 'It was not run.', isStatement: false }
    );
  },
});

async function answerByModel(deps: AnsweringDeps, request: AnswerRequest): Promise<Outcome> {
  request.onStage('Grounding');
  const knowledge = await deps.readKnowledge(request.projectId, request.dataSourceId, {
    exampleId: request.withoutExampleId,
  });
  if (knowledge.tables.length === 0)
    return {
      ...emptyOutcome,
      state: 'CannotAnswer',
      failure: {
        code: 'NoSchema',
        message: 'No table of the data source is known. Refresh its metadata, or ask about another one.',
      },
    };
  const { question, turns } = request;
  const grounding = groundingOf(knowledge, { question, turns, isPersonal: deps.isPersonal });
  const similar = grounding.similar.map(({ id, question: text }) => ({
    goldenExampleId: id,
    question: text,
  }));
  if (request.isCheckedOnly)
    return {
      ...emptyOutcome,
      state: 'CannotAnswer',
      missing: 'Nobody has checked an answer to it.',
      similar,
    };
  return { ...(await answerByCandidates(deps, request, { data: grounding.data, knowledge })), similar };
}

/** Returns the model's answer. With several candidates: the answer with the most common rows. */
async function answerByCandidates(
  deps: RepairDeps,
  request: AnswerRequest,
  context: Context,
): Promise<Outcome> {
  // Without rows there is nothing to compare.
  const count = request.isRun ? request.candidates : 1;
  // The model writes them concurrently to save time. They are executed one after the other, because other users share the
  // data source.
  const generations = await Promise.all(
    Array.from({ length: count }, () => generate(deps.llm, request, context.data, null)),
  );
  const outcomes: Outcome[] = [];
  for (const generation of generations)
    outcomes.push(await executeWithRepairs(deps, request, context, generation));
  const [only] = outcomes;
  return only && count === 1 ? only : vote(outcomes);
}
