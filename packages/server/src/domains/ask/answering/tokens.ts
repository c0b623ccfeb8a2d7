import type { LlmTokens } from '../../../gateways/llm/index.ts';

export const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };

export const addTokens = (one: LlmTokens, other: LlmTokens): LlmTokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  isEstimated: one.isEstimated || other.isEstimated,
});
