import { setTimeout } from 'node:timers/promises';
import type { LlmFailure } from '../../gateways/llm/index.ts';
import type { AnswerRequest, Outcome } from '../ask/index.ts';
import type { checkedExamples } from '../golden-examples/index.ts';
import { type Assessment, assessRows, assessUnanswerable } from './assess.ts';
import type { EvaluationDeps } from './deps.ts';
import { insertResult, type RunRow } from './store.ts';

export type EvaluateDeps = Pick<
  EvaluationDeps,
  'database' | 'clock' | 'answering' | 'tablesOf' | 'candidatesOf' | 'pauseMs'
>;

export type Example = Awaited<ReturnType<typeof checkedExamples>>[number];

/** Failures of a model that can disappear after a wait. */
const temporaryFailures = [
  'TooManyCalls',
  'RateLimited',
  'Overloaded',
] as const satisfies readonly LlmFailure[];
const temporaryCodes: ReadonlySet<string> = new Set(temporaryFailures);
/** Failures that end the evaluation, because every further question would fail as well. */
const endingCodes: ReadonlySet<string> = new Set<LlmFailure>([
  'NotConfigured',
  'SwitchedOff',
  'Unauthorised',
  'UnknownModel',
  'DestinationRefused',
  'BudgetSpent',
  // After the last wait.
  ...temporaryFailures,
]);
const waitsMax = 12;

/** Failure code when the evaluation's remaining tokens do not cover another call. */
const spentFailure: LlmFailure = 'EvaluationSpent';

/** The model is unavailable for all further questions. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

const comparedRowsMax = 1_000;
const callerId = 'evaluation';

/**
 * Evaluates one question and stores its result.
 *
 * @returns the reason to stop the evaluation; null to continue.
 * @throws ModelUnavailable if no further question can be answered.
 */
export async function evaluateExample(
  deps: EvaluateDeps,
  run: RunRow,
  { example, repeatNo }: { readonly example: Example; readonly repeatNo: number },
  signal: AbortSignal,
): Promise<string | null> {
  const startedAt = deps.clock.now();
  const request = {
    ...(await requestOf(deps, example, run.startedByUserId, signal)),
    evaluation: { id: run.id, maxTokens: run.maxTokens },
  };
  const outcome = await answerWithWaits(deps, request);
  if (outcome.failure?.code === spentFailure) return outcome.failure.message;
  if (outcome.failure !== null && endingCodes.has(outcome.failure.code))
    throw new ModelUnavailable(outcome.failure.message);
  const assessment = await assess(deps, example, outcome, signal);
  // An aborted question does not measure the model, so it gets no result.
  signal.throwIfAborted();
  await insertResult(deps.database, run.id, outcome.model, {
    goldenId: example.id,
    repeatNo,
    question: example.question,
    expected: example.expected,
    goldSql: example.sql,
    sql: outcome.sql,
    repairs: outcome.repairs,
    tokens: outcome.tokens,
    ...assessment,
    durationMs: deps.clock.now().getTime() - startedAt.getTime(),
  });
  return null;
}

const requestOf = async (
  { candidatesOf }: EvaluateDeps,
  example: Example,
  userId: number | null,
  signal: AbortSignal,
): Promise<AnswerRequest> => ({
  candidates: await candidatesOf(example.projectId),
  // The evaluation measures generated statements, not stored checked statements.
  isCheckedOnly: false,
  projectId: example.projectId,
  dataSourceId: example.dataSourceId,
  question: example.question,
  turns: [],
  isRun: true,
  userId,
  purpose: 'Evaluation',
  withoutExampleId: example.id,
  rowsMax: comparedRowsMax,
  onStage: () => undefined,
  signal,
  callerId,
});

/** Waits and retries after temporary failures, because they do not measure the quality of answers. */
async function answerWithWaits(
  { answering, pauseMs }: EvaluateDeps,
  request: AnswerRequest,
): Promise<Outcome> {
  for (let waits = 0; ; waits += 1) {
    const outcome = await answering.answer(request);
    if (waits >= waitsMax || !temporaryCodes.has(outcome.failure?.code ?? '')) return outcome;
    await setTimeout(pauseMs, undefined, { signal: request.signal });
  }
}

/** Compares the answer with the rows of the example's statement. */
async function assess(
  deps: EvaluateDeps,
  example: Example,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<Assessment> {
  if (example.sql === null) return assessUnanswerable(outcome);
  const result = await deps.answering.run(await requestOf(deps, example, null, signal), example.sql);
  const isOrdered = /\border\s+by\b/i.test(example.sql);
  const tablesOf = await deps.tablesOf(example.dataSourceId);
  return assessRows(outcome, { sql: example.sql, result, isOrdered }, tablesOf);
}
