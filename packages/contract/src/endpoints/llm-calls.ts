import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BigId, Id, listQuery, nullable, pageOf, Time } from '../shapes.ts';

const tag = 'llm';
const path = '/svc/api/llm/calls';

/** One request to the provider of the language model. Each retry is a record. */
export const LlmCallRecord = Type.Object(
  {
    id: BigId,
    purpose: Type.String(),
    model: Type.String(),
    userId: nullable(Id),
    userName: nullable(Type.String()),
    projectId: nullable(Id),
    projectName: nullable(Type.String()),
    startedAt: Time,
    durationMs: nullable(Type.Integer(), { description: 'null: under way.' }),
    outcome: nullable(
      Type.String({
        description: '`Answered`, `Refused`, `Lost`, or the code of a failure; null: under way.',
      }),
    ),
    inputTokens: nullable(Type.Integer()),
    outputTokens: nullable(Type.Integer()),
    isEstimated: Type.Boolean({ description: 'The provider counted nothing: an upper bound is booked.' }),
    cost: nullable(Type.Number(), { description: 'At the prices that held; null: without prices.' }),
    promptHash: nullable(
      Type.String({ description: 'SHA-256 of what was sent, in hex: equal prompts have equal ones.' }),
    ),
    isContentKept: Type.Boolean(),
  },
  { $id: 'LlmCallRecord' },
);
export type LlmCallRecord = Static<typeof LlmCallRecord>;

/** Prompt and answer of a call, until its retention period ends. */
export const LlmCallContent = Type.Object(
  {
    callId: BigId,
    instructions: Type.String(),
    data: Type.Array(Type.Object({ name: Type.String(), text: Type.String() })),
    answer: nullable(
      Type.String({
        description:
          'As the model wrote it; null: nothing whole came, or it repeats a key of the connection.',
      }),
    ),
    keptUntil: Time,
  },
  { $id: 'LlmCallContent' },
);
export type LlmCallContent = Static<typeof LlmCallContent>;

export const listLlmCalls = defineEndpoint({
  operationId: 'listLlmCalls',
  tag,
  summary: 'Lists calls to the language model, without what they were about',
  method: 'GET',
  path,
  query: Type.Object(listQuery),
  responses: { 200: pageOf(LlmCallRecord) },
  access: access.administerRead('Auditor', 'SecurityAdmin'),
});

/** Prompts and answers contain users' questions and names from every project, so that only an Admin reads them. */
export const getLlmCallContent = defineEndpoint({
  operationId: 'getLlmCallContent',
  tag,
  summary: 'Tells what was sent in a call and what was answered, where `Svc:LLM:KeepsContent` has it kept',
  method: 'GET',
  path: `${path}/{id}/content`,
  params: Type.Object({ id: BigId }),
  responses: { 200: LlmCallContent },
  access: access.administerRead(),
  refusals: { 404: 'There is no such call, or what it was about is not kept any more.' },
});
