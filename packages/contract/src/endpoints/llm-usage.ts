import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nullable, wordOf } from '../shapes.ts';
import { plural } from '../wording.ts';

const tag = 'llm';
const path = '/svc/api/llm';
/** Days of a usage report, at most. */
export const llmUsageDaysMax = 400;

export const llmStates = ['Ready', 'NotConfigured', 'BudgetSpent', 'Failing'] as const;
export type LlmState = (typeof llmStates)[number];

export const LlmStatus = Type.Object(
  {
    state: wordOf(llmStates),
    detail: Type.String({ description: 'What it is, and who can change it.' }),
  },
  { $id: 'LlmStatus' },
);
export type LlmStatus = Static<typeof LlmStatus>;

export const llmUsageGroups = ['Day', 'Purpose', 'User', 'Project', 'Model'] as const;
export type LlmUsageGroup = (typeof llmUsageGroups)[number];

const counts = {
  calls: Type.Integer({ description: 'Requests to the provider, repeated ones too.' }),
  failedCalls: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  estimatedCalls: Type.Integer({
    description: 'Calls whose tokens the provider did not count: their upper bound is booked.',
  }),
  cost: Type.Number({ description: 'At the prices that held; calls made without prices count nothing.' }),
};

const Budget = Type.Object({
  spent: Type.Integer(),
  reserved: Type.Integer({ description: 'Set aside for calls under way.' }),
  limit: nullable(Type.Integer(), { description: 'null: no limit.' }),
});

const Money = Type.Object({
  spent: Type.Number(),
  reserved: Type.Number(),
  limit: nullable(Type.Number(), { description: 'null: no limit.' }),
});

export const LlmUsage = Type.Object(
  {
    by: wordOf(llmUsageGroups),
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    items: Type.Array(
      Type.Object({
        key: Type.String({
          description: 'A day, a purpose, a model, or an id; empty for nobody in particular.',
        }),
        label: Type.String(),
        ...counts,
      }),
    ),
    total: Type.Object(counts),
    month: Type.Object(
      { ...Budget.properties, money: Money },
      { description: 'Tokens and money of this month (UTC), of the whole service.' },
    ),
  },
  { $id: 'LlmUsage' },
);
export type LlmUsage = Static<typeof LlmUsage>;

export const LlmOwnUsage = Type.Object(
  {
    items: Type.Array(Type.Object({ day: Type.String(), ...counts })),
    total: Type.Object(counts),
    today: Type.Object(Budget.properties, { description: 'Tokens of today (UTC), of the caller.' }),
  },
  { $id: 'LlmOwnUsage' },
);
export type LlmOwnUsage = Static<typeof LlmOwnUsage>;

const days = Type.Optional(
  Type.Integer({ minimum: 1, maximum: llmUsageDaysMax, description: 'Days up to now; default 30.' }),
);

export const getLlmStatus = defineEndpoint({
  operationId: 'getLlmStatus',
  tag,
  summary: 'Tells whether the language model can be asked at this moment',
  method: 'GET',
  path: `${path}/status`,
  responses: { 200: LlmStatus },
  access: access.read(),
});

export const getLlmUsage = defineEndpoint({
  operationId: 'getLlmUsage',
  tag,
  summary: 'Tells what calls to the language model used',
  method: 'GET',
  path: `${path}/usage`,
  query: Type.Object({
    from: Type.Optional(
      Type.String({ format: 'date', description: 'First day, in UTC; default 29 days before `to`.' }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date',
        description: `Last day, in UTC; default today. At most ${plural(llmUsageDaysMax, 'day')} from the first on.`,
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
  summary: 'Tells what calls to the language model used that were made for the caller',
  method: 'GET',
  path: `${path}/usage/own`,
  query: Type.Object({ days }),
  responses: { 200: LlmOwnUsage },
  readsLate: true,
  access: access.read(),
});
