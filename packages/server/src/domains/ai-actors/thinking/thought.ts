import type { LlmTokens } from '../../../gateways/llm/index.ts';
import type { ProvedAction } from './actions.ts';
import type { Discarded } from './store.ts';

/** Result of a think. */
export type Thought = {
  readonly analysis: string;
  readonly findings: readonly string[];
  readonly proved: readonly ProvedAction[];
  readonly discarded: readonly Discarded[];
  readonly tokens: LlmTokens;
  readonly model: string;
  readonly promptVersion: number;
};
