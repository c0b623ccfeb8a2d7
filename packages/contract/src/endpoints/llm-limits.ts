import { type Static, Type } from 'typebox';
import { nullable, partly, wordOf } from '../shapes.ts';

const tokensMax = 1_000_000_000_000;

/** Limits of calls to the language model: total cost, size and number. */
const limits = {
  monthlyBudget: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Of the service in a month of UTC, in the money of the prices. Null: no limit.',
    }),
  ),
  monthlyTokens: nullable(
    Type.Integer({
      minimum: 0,
      maximum: tokensMax,
      description: 'Of the service in a month of UTC. Null: no limit.',
    }),
  ),
  dailyTokensPerUser: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Of one user on a day of UTC.',
  }),
  callsPerMinute: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Of all processes.' }),
  tokensPerMinute: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Of all processes.' }),
  maxConcurrentCalls: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Of all processes.' }),
  callTimeoutSeconds: Type.Integer({
    minimum: 1,
    maximum: 600,
    description: 'For a call with all its attempts.',
  }),
  maxPromptBytes: Type.Integer({
    minimum: 1_000,
    maximum: 1_000_000,
    description: 'Of instructions and data together.',
  }),
};

export const LlmLimits = Type.Object(limits);
export type LlmLimits = Static<typeof LlmLimits>;

export const LlmLimitsSetting = Type.Object({
  value: LlmLimits,
  configuredValue: LlmLimits,
  isSetAtRunTime: Type.Boolean(),
  isLocked: Type.Boolean({ description: 'Configuration holds them: a change answers 409.' }),
  needs: wordOf(['SecurityAdmin']),
});
export type LlmLimitsSetting = Static<typeof LlmLimitsSetting>;

export const LlmLimitsInput = partly<LlmLimits>(LlmLimits, {
  additionalProperties: false,
  minProperties: 1,
  description: 'Absent limits stay as they are. Null instead of all of them: as configured.',
});
export type LlmLimitsInput = Static<typeof LlmLimitsInput>;
