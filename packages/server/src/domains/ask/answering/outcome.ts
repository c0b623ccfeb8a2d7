import type { Answer } from '@svc/contract';
import { type LlmFailure, llmFailureTexts } from '../../../gateways/llm/index.ts';
import { noTokens } from './tokens.ts';

/** Result of a question. */
export type Outcome = Pick<
  Answer,
  | 'basis'
  | 'confidence'
  | 'sql'
  | 'assumptions'
  | 'advisories'
  | 'clarification'
  | 'missing'
  | 'failure'
  | 'votes'
  | 'similar'
  | 'columns'
  | 'truncatedBy'
  | 'tokens'
> & {
  readonly state: 'Answered' | 'NeedsClarification' | 'CannotAnswer' | 'Refused' | 'Failed';
  readonly rows: readonly (readonly unknown[])[] | null;
  readonly goldenExampleId: number | null;
  readonly repairs: number;
  /** Model that wrote the statement. Null if no model did. */
  readonly model: string | null;
};

/** Outcome whose members the steps of an answer replace. */
export const emptyOutcome: Outcome = {
  state: 'Failed',
  basis: null,
  confidence: null,
  sql: null,
  assumptions: [],
  advisories: [],
  clarification: null,
  missing: null,
  failure: null,
  votes: null,
  similar: [],
  columns: [],
  rows: null,
  truncatedBy: null,
  tokens: noTokens,
  goldenExampleId: null,
  repairs: 0,
  model: null,
};

export const failed = (code: string, message: string): Pick<Outcome, 'state' | 'failure'> => ({
  state: 'Failed',
  failure: { code, message },
});

export const llmFailed = (failure: LlmFailure) => failed(failure, llmFailureTexts[failure]);
