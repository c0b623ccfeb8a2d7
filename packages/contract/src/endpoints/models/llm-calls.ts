import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BigId, Id, listQuery, nullable, pageOf, Time } from '../../shapes.ts';

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
    durationMs: nullable(Type.Integer(), { description: 'Null: the call is in progress.' }),
    outcome: nullable(
      Type.String({
        description:
          '`Answered`, `Refused`, `Lost`, or the code of a failure. Null: the call is in progress.',
      }),
    ),
    inputTokens: nullable(Type.Integer()),
    outputTokens: nullable(Type.Integer()),
    isEstimated: Type.Boolean({
      description: 'The provider did not count the tokens. The numbers are upper bounds.',
    }),
    cost: nullable(Type.Number(), {
      description: 'Cost at the prices at the time of the call; null without prices.',
    }),
    promptHash: nullable(
      Type.String({ description: 'SHA-256 of the prompt in hexadecimal. Equal prompts have equal hashes.' }),
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
          'Text of the model. Null: the response was incomplete, or repeated a key of the connection.',
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
  summary: 'Lists calls to the language model, without prompts and answers',
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
  summary: 'Reads the prompt and the answer of a call, if `Svc:LLM:KeepsContent` stored them',
  method: 'GET',
  path: `${path}/{id}/content`,
  params: Type.Object({ id: BigId }),
  responses: { 200: LlmCallContent },
  access: access.administerRead(),
  refusals: { 404: 'The call does not exist, or its content is no longer stored.' },
});
