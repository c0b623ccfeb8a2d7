import type { Llm, LlmData } from '../../../gateways/llm/index.ts';
import type { Knowledge } from '../../grounding/index.ts';
import { checkAndExecute, rowsOf, type StatementGates } from './execute.ts';
import { type Generation, generate } from './generate.ts';
import { emptyOutcome, failed, type Outcome } from './outcome.ts';
import type { AnswerRequest } from './request.ts';
import { addTokens, noTokens } from './tokens.ts';

/** Maximum number of repairs of a refused statement. */
const repairsMax = 2;

export type RepairDeps = StatementGates & {
  readonly llm: Pick<Llm, 'call'>;
  readonly advise: (sql: string, knowledge: Knowledge) => readonly string[];
};

/** Context of the model for one question. */
export type Context = { readonly data: readonly LlmData[]; readonly knowledge: Knowledge };

/** Checks and runs a generated statement. The model repairs it after a refusal. */
export async function executeWithRepairs(
  deps: RepairDeps,
  request: AnswerRequest,
  { data, knowledge }: Context,
  first: Generation,
): Promise<Outcome> {
  let tokens = noTokens;
  let generation = first;
  for (let repairs = 0; ; repairs += 1) {
    tokens = addTokens(tokens, generation.tokens);
    const base = { ...emptyOutcome, tokens, repairs, model: generation.model };
    if ('end' in generation) return { ...base, ...generation.end };
    const { sql, assumptions } = generation.statement;
    const outcome = { ...base, basis: 'Model', sql, assumptions } as const;
    const execution = await checkAndExecute(deps, request, sql);
    if ('result' in execution) {
      const advisories = [...deps.advise(sql, knowledge)];
      const confidence = repairs === 0 && advisories.length === 0 ? 'Medium' : 'Low';
      return { ...outcome, ...rowsOf(execution.result), state: 'Answered', advisories, confidence };
    }
    const { code, message, isStatement } = execution.refusal;
    if (!isStatement) return { ...outcome, ...failed(code, message) };
    if (repairs >= repairsMax) return { ...outcome, state: 'Refused', failure: { code, message } };
    generation = await generate(deps.llm, request, data, { sql, message });
  }
}
