import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

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
    title: Type.String({ description: 'The first question of the conversation; empty before it.' }),
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
    description: 'Current step of the work; null before it starts and after it ends.',
  }),
  basis: nullable(wordOf(['Checked', 'Model']), {
    description:
      '`Checked`: the statement of a golden example, confirmed by users. `Model`: a statement written by a language model.',
  }),
  confidence: nullable(wordOf(['High', 'Medium', 'Low']), {
    description:
      '`High`: the statement is checked. `Medium`: it passed without repair or advice, and all candidates returned the same rows. `Low`: all other cases.',
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
    assumptions: Type.Array(Type.String(), { description: 'Assumptions of the model, in its own words.' }),
    advisories: Type.Array(Type.String(), { description: 'Warnings of the service about the statement.' }),
    clarification: nullable(Type.Object({ question: Type.String(), options: Type.Array(Type.String()) }), {
      description: 'Question of the model to the user.',
    }),
    missing: nullable(Type.String(), {
      description: 'Data that is missing, if the data source cannot answer the question.',
    }),
    failure: nullable(
      Type.Object({
        code: Type.String({
          description: 'One of a closed list of codes, such as `NoSchema` or the name of a gate.',
        }),
        message: Type.String(),
      }),
    ),
    votes: nullable(
      Type.Object({
        agreed: Type.Integer({ minimum: 1, description: 'Candidates with the result of this answer.' }),
        of: Type.Integer({ minimum: 2 }),
      }),
      {
        description:
          'If the model wrote several statements: the number of statements that returned these rows.',
      },
    ),
    similar: Type.Array(Type.Object({ goldenExampleId: Id, question: Type.String() }), {
      description: 'Golden examples with similar questions.',
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.String(),
        isMasked: Type.Boolean(),
        maskedReason: Type.Optional(
          Type.String({
            description: 'Reason why the column is masked, and how to change it; absent: not masked.',
          }),
        ),
      }),
    ),
    rows: nullable(Type.Array(Type.Array(Type.Unknown())), {
      description:
        'Up to 100 rows, masked. Null: the statement did not run, or the rows are no longer stored.',
    }),
    truncatedBy: nullable(wordOf(['Rows', 'Bytes'])),
    tokens: Type.Object(
      {
        input: Type.Integer(),
        output: Type.Integer(),
        isEstimated: Type.Boolean(),
      },
      { description: 'Tokens of the answer and of its explanations.' },
    ),
    cost: nullable(Type.Number(), {
      description:
        'Cost of the answer and of its explanations, in the currency of the configured prices. Null: no prices were configured, or no model was called.',
    }),
    durationMs: nullable(Type.Integer()),
    jobId: nullable(Type.String()),
  },
  { $id: 'Answer' },
);
export type Answer = Static<typeof Answer>;

const unreadable =
  "The conversation does not exist or is not the caller's, or the caller can no longer read its project.";
const notTheirs =
  "The answer does not exist or is not the caller's, or the caller can no longer read its project.";

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
  summary: 'Starts a conversation about the data of a project',
  method: 'POST',
  path: `${path}/conversations`,
  body: Type.Object({ projectId: Id }),
  responses: { 201: Conversation },
  sends: ['Location'],
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: 'The project does not exist, or the caller cannot read it.' },
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
  summary: 'Deletes a conversation with its answers; Admins can still read the feedback on them',
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
  summary: 'Asks a question about the data; a background job computes the answer',
  method: 'POST',
  path: `${path}/conversations/{id}/questions`,
  params: IdParams,
  body: Type.Object({
    question: NonBlank(questionLengthMax),
    dataSourceId: Type.Optional(Id),
    isRun: Type.Optional(Type.Boolean({ description: 'Whether to run the statement; default true.' })),
  }),
  responses: { 201: Answer },
  sends: ['Location'],
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    400: 'The question is empty, the data source is not linked to the project, or the project has several and none is named.',
    404: unreadable,
    409: 'No golden example answers the question, and no language model is configured.',
    403: 'The MCP settings of the project disable questions.',
    429: 'Three questions of the caller are already in progress.',
  },
});

export const getAnswer = defineEndpoint({
  operationId: 'getAnswer',
  tag,
  summary: 'Reads an answer in its current state',
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
  summary: 'Runs the statement of an answer again and stores its rows',
  method: 'POST',
  path: `${path}/answers/{id}/run`,
  params: IdParams,
  responses: { 200: Answer },
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    404: notTheirs,
    409: 'The answer has no statement that may run, or is still in progress.',
    424: 'The data source refused the statement or was unavailable.',
  },
});

export const AnswerExplanation = Type.Object(
  {
    answerId: Id,
    explanation: Type.String({ description: 'Text of a language model; it may be wrong.' }),
    rowCount: Type.Integer({ minimum: 0, description: 'Masked rows that the model received.' }),
    tokens: Type.Object({
      input: Type.Integer(),
      output: Type.Integer(),
      isEstimated: Type.Boolean(),
    }),
    cost: nullable(Type.Number(), {
      description: 'Cost in the currency of the configured prices; null without prices.',
    }),
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
  summary: 'Has a language model explain the rows of an answer; the model receives masked rows',
  method: 'POST',
  path: `${path}/answers/{id}/explain`,
  params: IdParams,
  responses: { 200: AnswerExplanation },
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    403: 'The MCP settings of the project disable questions.',
    404: notTheirs,
    409: 'The MCP settings exclude rows from language models, the answer has no rows, or no model is configured.',
    424: 'The data source refused the statement, or the model returned no usable answer.',
    429: 'Too many calls to the language model at this time.',
    503: 'The language model was unavailable.',
  },
});

export const cancelAnswer = defineEndpoint({
  operationId: 'cancelAnswer',
  tag,
  summary: 'Cancels the work on an answer',
  method: 'POST',
  path: `${path}/answers/{id}/cancel`,
  params: IdParams,
  responses: { 204: null },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 404: notTheirs, 409: 'The work on the answer has ended.' },
});

export const giveFeedback = defineEndpoint({
  operationId: 'giveFeedback',
  tag,
  summary:
    'Stores whether an answer is right, and optionally the right statement; new feedback replaces earlier feedback',
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
  refusals: { 404: notTheirs, 409: 'The answer is still in progress.' },
});
