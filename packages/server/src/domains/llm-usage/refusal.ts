import type { HttpProblemCode } from '@svc/contract';
import { type LlmAnswer, type LlmFailure, llmFailureTexts } from '../../gateways/llm/index.ts';
import { Refusal } from '../../platform/http/index.ts';

/** Delay when the provider states none. */
const retryAfterSecondsDefault = 20;

const codeOf = {
  NotConfigured: 'llm-not-configured',
  SwitchedOff: 'llm-not-configured',
  BudgetSpent: 'llm-budget-spent',
  EvaluationSpent: 'llm-budget-spent',
  PromptTooLarge: 'text-too-long',
  TooManyCalls: 'llm-busy',
  RateLimited: 'llm-busy',
  Unauthorised: 'llm-failed',
  UnknownModel: 'llm-failed',
  DestinationRefused: 'llm-failed',
  BadAnswer: 'llm-failed',
  CutShort: 'llm-failed',
  RequestRefused: 'llm-failed',
  Overloaded: 'llm-unavailable',
  Unreachable: 'llm-unavailable',
  TimedOut: 'llm-unavailable',
  Cancelled: 'llm-unavailable',
} as const satisfies Readonly<Record<LlmFailure, HttpProblemCode>>;

/** Converts an answer without a value to a refusal of the request. */
export function llmRefusal(answer: Exclude<LlmAnswer<unknown>, { readonly kind: 'Value' }>): Refusal {
  if (answer.kind === 'Refused')
    return new Refusal('llm-failed', { detail: 'The language model declined to answer.' });
  const { failure, retryAfterSeconds = retryAfterSecondsDefault } = answer;
  const code = codeOf[failure];
  return new Refusal(code, {
    detail: llmFailureTexts[failure],
    ...(code === 'llm-busy' && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}
