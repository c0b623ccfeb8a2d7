import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable, wordOf } from '../../shapes.ts';
import { plural } from '../../wording.ts';

const tag = 'llm';
const path = '/svc/api/llm';
/** Days of a usage report, at most. */
export const llmUsageDaysMax = 400;

export const llmStates = ['Ready', 'NotConfigured', 'BudgetSpent', 'Failing'] as const;
export type LlmState = (typeof llmStates)[number];

export const LlmStatus = Type.Object(
  {
    state: wordOf(llmStates),
    detail: Type.String({ description: 'Explanation of the state, and who can change it.' }),
  },
  { $id: 'LlmStatus' },
);
export type LlmStatus = Static<typeof LlmStatus>;

export const llmUsageGroups = ['Day', 'Purpose', 'User', 'Project', 'Model'] as const;
export type LlmUsageGroup = (typeof llmUsageGroups)[number];

const counts = {
  calls: Type.Integer({ description: 'Requests to the provider, including retries.' }),
  failedCalls: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  estimatedCalls: Type.Integer({
    description: 'Calls whose tokens the provider did not count. They count with their upper bounds.',
  }),
  cost: Type.Number({
    description: 'Cost at the prices at the time of each call. Calls without prices cost 0.',
  }),
};

const Budget = Type.Object({
  spent: Type.Integer(),
  reserved: Type.Integer({ description: 'Reserved for calls in progress.' }),
  limit: nullable(Type.Integer(), { description: 'Null: no limit.' }),
});

const Money = Type.Object({
  spent: Type.Number(),
  reserved: Type.Number(),
  limit: nullable(Type.Number(), { description: 'Null: no limit.' }),
});

export const LlmUsage = Type.Object(
  {
    by: wordOf(llmUsageGroups),
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    items: Type.Array(
      Type.Object({
        key: Type.String({
          description: 'A day, a purpose, a model or an id; empty for calls without a user or project.',
        }),
        label: Type.String(),
        ...counts,
      }),
    ),
    total: Type.Object(counts),
    month: Type.Object(
      { ...Budget.properties, money: Money },
      { description: 'Tokens and cost of the whole service in this calendar month (UTC).' },
    ),
  },
  { $id: 'LlmUsage' },
);
export type LlmUsage = Static<typeof LlmUsage>;

export const LlmOwnUsage = Type.Object(
  {
    items: Type.Array(Type.Object({ day: Type.String(), ...counts })),
    total: Type.Object(counts),
    today: Type.Object(Budget.properties, { description: 'Tokens of the caller today (UTC).' }),
  },
  { $id: 'LlmOwnUsage' },
);
export type LlmOwnUsage = Static<typeof LlmOwnUsage>;

const days = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: llmUsageDaysMax,
    description: 'Number of days up to today; default 30.',
  }),
);

export const getLlmStatus = defineEndpoint({
  operationId: 'getLlmStatus',
  tag,
  summary: 'Reports whether the language model is available now',
  method: 'GET',
  path: `${path}/status`,
  responses: { 200: LlmStatus },
  access: access.read(),
});

export const getLlmUsage = defineEndpoint({
  operationId: 'getLlmUsage',
  tag,
  summary: 'Reports the tokens and costs of calls to the language model',
  method: 'GET',
  path: `${path}/usage`,
  query: Type.Object({
    from: Type.Optional(
      Type.String({ format: 'date', description: 'First day, in UTC; default 29 days before `to`.' }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date',
        description: `Last day, in UTC; default today. The time range is at most ${plural(llmUsageDaysMax, 'day')}.`,
      }),
    ),
    by: Type.Optional(wordOf(llmUsageGroups, { description: 'Default `Day`.' })),
  }),
  responses: { 200: LlmUsage },
  readsLate: true,
  access: access.administerRead('Auditor', 'SecurityAdmin'),
});

export const getOwnLlmUsage = defineEndpoint({
  operationId: 'getOwnLlmUsage',
  tag,
  summary: 'Reports the tokens and costs of calls to the language model for the caller',
  method: 'GET',
  path: `${path}/usage/own`,
  query: Type.Object({ days }),
  responses: { 200: LlmOwnUsage },
  readsLate: true,
  access: access.read(),
});
