import { type Static, Type } from 'typebox';
import { nullable, partly, wordOf } from '../../shapes.ts';

const tokensMax = 1_000_000_000_000;

/** Limits of calls to the language model: total cost, size and number. */
const limits = {
  monthlyBudget: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Budget of the service per calendar month (UTC), in the currency of the configured prices. Null: no limit.',
    }),
  ),
  monthlyTokens: nullable(
    Type.Integer({
      minimum: 0,
      maximum: tokensMax,
      description: 'Tokens of the service per calendar month (UTC). Null: no limit.',
    }),
  ),
  dailyTokensPerUser: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Tokens of one user per day (UTC).',
  }),
  callsPerMinute: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Calls of all processes together per minute.',
  }),
  tokensPerMinute: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Tokens of all processes together per minute.',
  }),
  maxConcurrentCalls: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Concurrent calls of all processes together.',
  }),
  callTimeoutSeconds: Type.Integer({
    minimum: 1,
    maximum: 600,
    description: 'Time limit of one call with all its attempts, in seconds.',
  }),
  maxPromptBytes: Type.Integer({
    minimum: 1_000,
    maximum: 1_000_000,
    description: 'Largest prompt in bytes: instructions and data together.',
  }),
};

export const LlmLimits = Type.Object(limits);
export type LlmLimits = Static<typeof LlmLimits>;

export const LlmLimitsSetting = Type.Object({
  value: LlmLimits,
  configuredValue: LlmLimits,
  isSetAtRunTime: Type.Boolean(),
  isLocked: Type.Boolean({ description: 'Configuration sets the limits. A change returns 409.' }),
  needs: wordOf(['SecurityAdmin']),
});
export type LlmLimitsSetting = Static<typeof LlmLimitsSetting>;

export const LlmLimitsInput = partly<LlmLimits>(LlmLimits, {
  additionalProperties: false,
  minProperties: 1,
  description: 'Absent limits do not change. Null instead of the object: all limits as configured.',
});
export type LlmLimitsInput = Static<typeof LlmLimitsInput>;
