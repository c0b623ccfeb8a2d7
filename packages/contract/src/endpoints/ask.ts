import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../shapes.ts';

const tag = 'ask';
const path = '/svc/api/ask';
export const questionLengthMax = 4000;
const commentLengthMax = 2000;
const sqlLengthMax = 100_000;

export const answerStates = [
  'Waiting',
  'Working',
  'Answered',
  'NeedsClarification',
  'CannotAnswer',
  'Refused',
  'Failed',
  'Cancelled',
] as const;
export type AnswerState = (typeof answerStates)[number];

export const answerStages = ['Matching', 'Grounding', 'Writing', 'Checking', 'Running'] as const;
export type AnswerStage = (typeof answerStages)[number];

export const feedbackVerdicts = ['Right', 'Wrong'] as const;
export type FeedbackVerdict = (typeof feedbackVerdicts)[number];

export const Conversation = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    title: Type.String({ description: 'Its first question; empty before it.' }),
    answerCount: Type.Integer({ minimum: 0 }),
    createdTime: Time,
    lastAskedAt: nullable(Time),
  },
  { $id: 'Conversation' },
);
export type Conversation = Static<typeof Conversation>;

const answerFields = {
  id: Id,
  conversationId: Id,
  projectId: Id,
  dataSourceId: nullable(Id),
  dataSourceName: nullable(Type.String()),
  question: Type.String(),
  state: wordOf(answerStates),
  stage: nullable(wordOf(answerStages), {
    description: 'What is being done; null before it begins and once it has ended.',
  }),
  basis: nullable(wordOf(['Checked', 'Model']), {
    description:
      'Checked: the statement of a golden example, which people have said is right. Model: one that a language model wrote.',
  }),
  confidence: nullable(wordOf(['High', 'Medium', 'Low']), {
    description:
      'By rule: High where the statement is checked, Medium where it passed at once without advice and no candidate gave other rows, else Low.',
  }),
  sql: nullable(Type.String()),
  askedAt: Time,
  finishedAt: nullable(Time),
  feedback: nullable(wordOf(feedbackVerdicts)),
};

export const AnswerSummary = Type.Object(answerFields, { $id: 'AnswerSummary' });
export type AnswerSummary = Static<typeof AnswerSummary>;

export const Answer = Type.Object(
  {
    ...answerFields,
    assumptions: Type.Array(Type.String(), { description: 'What the model took for granted, in its words.' }),
    advisories: Type.Array(Type.String(), { description: 'What the service noticed about the statement.' }),
    clarification: nullable(Type.Object({ question: Type.String(), options: Type.Array(Type.String()) }), {
      description: 'What the model asks back.',
    }),
    missing: nullable(Type.String(), { description: 'What the data does not have, where it cannot answer.' }),
    failure: nullable(
      Type.Object({
        code: Type.String({
          description: 'A word of a closed list, such as `NoSchema` or the name of a gate.',
        }),
        message: Type.String(),
      }),
    ),
    votes: nullable(
      Type.Object({
        agreed: Type.Integer({ minimum: 1, description: 'Candidates that came to this answer.' }),
        of: Type.Integer({ minimum: 2 }),
      }),
      { description: 'Where several statements were written: how many of them gave these rows.' },
    ),
    similar: Type.Array(Type.Object({ goldenExampleId: Id, question: Type.String() }), {
      description: 'Golden examples whose questions are like this one.',
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.String(),
        isMasked: Type.Boolean(),
        maskedReason: Type.Optional(
          Type.String({ description: 'Why the column is masked and what to change; absent: not masked.' }),
        ),
      }),
    ),
    rows: nullable(Type.Array(Type.Array(Type.Unknown())), {
      description: 'Up to 100, masked; null where it was not run, or where they are not kept any more.',
    }),
    truncatedBy: nullable(wordOf(['Rows', 'Bytes'])),
    tokens: Type.Object(
      {
        input: Type.Integer(),
        output: Type.Integer(),
        isEstimated: Type.Boolean(),
      },
      { description: 'Of the answer and of its explanations.' },
    ),
    cost: nullable(Type.Number(), {
      description:
        'Of the answer and of its explanations, in the money of the prices that held; null: without prices, or no model was asked.',
    }),
    durationMs: nullable(Type.Integer()),
    jobId: nullable(Type.String()),
  },
  { $id: 'Answer' },
);
export type Answer = Static<typeof Answer>;

const unreadable = 'There is no such conversation of the caller, or its project cannot be read any more.';
const notTheirs = 'There is no such answer of the caller, or its project cannot be read any more.';

/**
 * Conversations of the caller in projects that the caller can read. Sort names: `createdTime`; default `-createdTime`.
 */
export const listConversations = defineEndpoint({
  operationId: 'listConversations',
  tag,
  summary: "Lists the caller's own conversations",
  method: 'GET',
  path: `${path}/conversations`,
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id) }),
  responses: { 200: pageOf(Conversation) },
  access: access.read(),
});

export const createConversation = defineEndpoint({
  operationId: 'createConversation',
  tag,
  summary: 'Begins a conversation about the data of a project',
  method: 'POST',
  path: `${path}/conversations`,
  body: Type.Object({ projectId: Id }),
  responses: { 201: Conversation },
  sends: ['Location'],
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: 'There is no such project that the caller can read.' },
});

export const getConversation = defineEndpoint({
  operationId: 'getConversation',
  tag,
  summary: 'Reads a conversation with its questions, oldest first',
  method: 'GET',
  path: `${path}/conversations/{id}`,
  params: IdParams,
  responses: { 200: Type.Object({ ...Conversation.properties, answers: Type.Array(AnswerSummary) }) },
  access: access.read({ project: 'readable' }),
  refusals: { 404: unreadable },
});

export const deleteConversation = defineEndpoint({
  operationId: 'deleteConversation',
  tag,
  summary: 'Deletes a conversation with its answers; what was said of them stays for the Admins',
  method: 'DELETE',
  path: `${path}/conversations/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: unreadable },
});

/**
 * A background job computes the answer. Hub events report the stage; the client reads the result with a GET. A question
 * that a golden example answers needs no language model.
 */
export const askQuestion = defineEndpoint({
  operationId: 'askQuestion',
  tag,
  summary: 'Asks a question about the data; the answer is worked out in the background',
  method: 'POST',
  path: `${path}/conversations/{id}/questions`,
  params: IdParams,
  body: Type.Object({
    question: NonBlank(questionLengthMax),
    dataSourceId: Type.Optional(Id),
    isRun: Type.Optional(Type.Boolean({ description: 'Whether the statement is run; default true.' })),
  }),
  responses: { 201: Answer },
  sends: ['Location'],
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    400: 'The question is empty, or the data source is not one of the project, or has to be named.',
    404: unreadable,
    409: 'No golden example answers it, and no language model is set up.',
    403: 'The MCP settings of the project switch questions off.',
    429: 'Three questions of the caller are being answered already.',
  },
});

export const getAnswer = defineEndpoint({
  operationId: 'getAnswer',
  tag,
  summary: 'Reads an answer as far as it is',
  method: 'GET',
  path: `${path}/answers/{id}`,
  params: IdParams,
  responses: { 200: Answer },
  access: access.read({ project: 'readable' }),
  refusals: { 404: notTheirs },
});

export const runAnswer = defineEndpoint({
  operationId: 'runAnswer',
  tag,
  summary: 'Runs the statement of an answer again, and keeps its rows',
  method: 'POST',
  path: `${path}/answers/{id}/run`,
  params: IdParams,
  responses: { 200: Answer },
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    404: notTheirs,
    409: 'The answer has no statement that may be run, or is being worked out.',
    424: 'The data source refused the statement or could not be reached.',
  },
});

export const AnswerExplanation = Type.Object(
  {
    answerId: Id,
    explanation: Type.String({ description: 'Plain text of a language model; it may be wrong.' }),
    rowCount: Type.Integer({ minimum: 0, description: 'Rows that the model saw, masked.' }),
    tokens: Type.Object({
      input: Type.Integer(),
      output: Type.Integer(),
      isEstimated: Type.Boolean(),
    }),
    cost: nullable(Type.Number(), { description: 'In the money of the prices; null where there are none.' }),
    model: Type.String(),
  },
  { $id: 'AnswerExplanation' },
);
export type AnswerExplanation = Static<typeof AnswerExplanation>;

/**
 * The statement runs again, as `run` does, so that current rights and masking apply to the rows that the model sees.
 * The explanation is not stored.
 */
export const explainAnswer = defineEndpoint({
  operationId: 'explainAnswer',
  tag,
  summary: 'Has a language model say in words what the rows of an answer tell; it sees them masked',
  method: 'POST',
  path: `${path}/answers/{id}/explain`,
  params: IdParams,
  responses: { 200: AnswerExplanation },
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    403: 'The MCP settings of the project switch questions off.',
    404: notTheirs,
    409: 'The MCP settings keep rows from language models, the answer has no rows, or no model is set up.',
    424: 'The data source refused the statement, or the model gave no usable answer.',
    429: 'Too many calls to the language model are made.',
    503: 'The language model could not be reached.',
  },
});

export const cancelAnswer = defineEndpoint({
  operationId: 'cancelAnswer',
  tag,
  summary: 'Ends the work on an answer',
  method: 'POST',
  path: `${path}/answers/{id}/cancel`,
  params: IdParams,
  responses: { 204: null },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: notTheirs, 409: 'The answer has ended.' },
});

export const giveFeedback = defineEndpoint({
  operationId: 'giveFeedback',
  tag,
  summary: 'Says whether an answer is right, and which statement would have been; the last word counts',
  method: 'POST',
  path: `${path}/answers/{id}/feedback`,
  params: IdParams,
  body: Type.Object({
    verdict: wordOf(feedbackVerdicts),
    comment: Type.Optional(Type.String({ maxLength: commentLengthMax })),
    sql: Type.Optional(NonBlank(sqlLengthMax)),
  }),
  responses: { 204: null },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: notTheirs, 409: 'The answer has not ended.' },
});
