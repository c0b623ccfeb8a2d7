import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { CronExpression, Schedule, TimeZone } from '../notifications/subscriptions.ts';
import { feedbackVerdicts } from './ask.ts';
import { GoldenExample } from './golden-examples.ts';

const tag = 'eval';
const path = '/svc/api/eval';
const sqlLengthMax = 100_000;
const notesLengthMax = 2000;
const goldenIdsMax = 1_000;
const repeatsMax = 5;

const about = {
  id: Id,
  projectId: Id,
  projectName: Type.String(),
  dataSourceId: nullable(Id),
  dataSourceName: nullable(Type.String()),
  question: Type.String(),
};

export const AnswerFeedback = Type.Object(
  {
    ...about,
    verdict: wordOf(feedbackVerdicts),
    comment: nullable(Type.String()),
    sql: nullable(Type.String({ description: 'SQL of the answer.' })),
    rightSql: nullable(Type.String({ description: 'Right SQL, as the user gave it.' })),
    basis: nullable(wordOf(['Checked', 'Model'])),
    userName: nullable(Type.String()),
    givenAt: Time,
  },
  { $id: 'AnswerFeedback' },
);
export type AnswerFeedback = Static<typeof AnswerFeedback>;

export const candidateStates = ['Proposed', 'Promoted', 'Dismissed'] as const;
export type CandidateState = (typeof candidateStates)[number];

export const GoldenCandidate = Type.Object(
  {
    ...about,
    sql: Type.String({ description: 'Statement that a user confirmed as right.' }),
    verdict: wordOf(feedbackVerdicts),
    comment: nullable(Type.String()),
    userName: nullable(Type.String()),
    state: wordOf(candidateStates),
    goldenExampleId: nullable(Id, { description: 'Golden example that was created from the candidate.' }),
    proposedAt: Time,
    decidedAt: nullable(Time),
  },
  { $id: 'GoldenCandidate' },
);
export type GoldenCandidate = Static<typeof GoldenCandidate>;

export const evalStates = ['Waiting', 'Running', 'Completed', 'Stopped', 'Cancelled', 'Failed'] as const;
export type EvalState = (typeof evalStates)[number];

export const evalVerdicts = [
  'Passed',
  'WrongRows',
  'WrongTables',
  'NotRun',
  'Abstained',
  'AnsweredUnanswerable',
  'Harness',
] as const;
export type EvalVerdict = (typeof evalVerdicts)[number];

const Share = Type.Number({ minimum: 0, maximum: 1 });

export const EvalRun = Type.Object(
  {
    id: Id,
    projectId: nullable(Id, { description: 'Null: examples of all projects.' }),
    projectName: nullable(Type.String()),
    state: wordOf(evalStates),
    failure: nullable(Type.String()),
    repeats: Type.Integer({ minimum: 1, maximum: repeatsMax }),
    maxTokens: nullable(Type.Integer()),
    caseCount: Type.Integer({
      description: 'Answers to compute: the number of questions multiplied by `repeats`.',
    }),
    doneCount: Type.Integer(),
    verdicts: Type.Object(
      Object.fromEntries(evalVerdicts.map((verdict) => [verdict, Type.Integer()])) as Record<
        EvalVerdict,
        ReturnType<typeof Type.Integer>
      >,
    ),
    accuracy: nullable(Share, {
      description:
        'Share of right answers to questions with an answer. The verdict `Harness` does not count. Null before the first question.',
    }),
    accuracyLower: nullable(Share, { description: 'Lower bound of the 95 % Wilson interval of `accuracy`.' }),
    accuracyUpper: nullable(Share),
    abstentionShare: nullable(Share, {
      description:
        'Share of questions without an answer for which the model stated this. Null without such questions.',
    }),
    repairs: Type.Integer(),
    tokens: Type.Integer(),
    model: nullable(Type.String()),
    minAccuracy: nullable(Share, {
      description: 'Required accuracy of the schedule that started it; null if a user started it.',
    }),
    startedByName: nullable(Type.String()),
    createdTime: Time,
    startedAt: nullable(Time),
    finishedAt: nullable(Time),
    jobId: nullable(Type.String()),
  },
  { $id: 'EvalRun' },
);
export type EvalRun = Static<typeof EvalRun>;

export const EvalResult = Type.Object(
  {
    id: Id,
    goldenExampleId: Id,
    repeat: Type.Integer({ minimum: 1 }),
    question: Type.String(),
    expected: wordOf(['Rows', 'NoAnswer']),
    goldSql: nullable(Type.String()),
    sql: nullable(Type.String()),
    verdict: wordOf(evalVerdicts),
    detail: nullable(
      Type.String({ description: 'Missing, refused or different parts. Contains no values of rows.' }),
    ),
    repairs: Type.Integer(),
    tokens: Type.Integer(),
    durationMs: Type.Integer(),
  },
  { $id: 'EvalResult' },
);
export type EvalResult = Static<typeof EvalResult>;

export const EvalComparison = Type.Object(
  {
    runId: Id,
    withRunId: Id,
    improved: Type.Array(Id, {
      description: 'Golden examples that always passed in this evaluation, but not in the other.',
    }),
    worsened: Type.Array(Id, {
      description: 'Golden examples that always passed in the other evaluation, but not in this one.',
    }),
    sameCount: Type.Integer(),
    onlyHereCount: Type.Integer(),
    onlyThereCount: Type.Integer(),
  },
  { $id: 'EvalComparison' },
);
export type EvalComparison = Static<typeof EvalComparison>;

const Repeats = Type.Integer({ minimum: 1, maximum: repeatsMax });
const MaxTokens = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: 'Tokens of all calls of the evaluation. It stops before a call that could exceed the limit.',
});

export const evalSkipReasons = ['NoExamples', 'NotConfigured', 'BudgetSpent', 'StillRunning'] as const;
export type EvalSkipReason = (typeof evalSkipReasons)[number];

export const EvalSchedule = Type.Object(
  {
    projectId: Id,
    projectName: Type.String(),
    schedule: Schedule,
    minAccuracy: Share,
    repeats: Repeats,
    maxTokens: nullable(MaxTokens),
    isPaused: Type.Boolean(),
    pauseReason: nullable(wordOf(['OwnerGone']), {
      description:
        '`OwnerGone`: the service paused the schedule, because its owner is disabled or no longer an Admin. Null: a user paused it, or it is not paused.',
    }),
    ownerName: nullable(Type.String(), {
      description: 'User who last saved the schedule and owns its evaluations.',
    }),
    isBelow: Type.Boolean({
      description: 'The accuracy of the last completed evaluation was lower than its `minAccuracy`.',
    }),
    lastRun: nullable(
      Type.Object({
        id: Id,
        state: wordOf(evalStates),
        accuracy: nullable(Share),
        createdTime: Time,
        finishedAt: nullable(Time),
      }),
    ),
    lastSkip: nullable(Type.Object({ at: Time, reason: wordOf(evalSkipReasons) }), {
      description: 'Last due time without an evaluation, and the reason.',
    }),
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'EvalSchedule' },
);
export type EvalSchedule = Static<typeof EvalSchedule>;

/** Sort names: `givenAt`; default `-givenAt`. */
export const listFeedback = defineEndpoint({
  operationId: 'listFeedback',
  tag,
  summary: 'Lists feedback of users on answers',
  method: 'GET',
  path: `${path}/feedback`,
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    verdict: Type.Optional(wordOf(feedbackVerdicts)),
  }),
  responses: { 200: pageOf(AnswerFeedback) },
  access: access.administerRead(),
});

/** Sort names: `proposedAt`; default `-proposedAt`. */
export const listCandidates = defineEndpoint({
  operationId: 'listCandidates',
  tag,
  summary: 'Lists statements that may become golden examples',
  method: 'GET',
  path: `${path}/candidates`,
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    state: Type.Optional(wordOf(candidateStates, { description: 'Default `Proposed`.' })),
  }),
  responses: { 200: pageOf(GoldenCandidate) },
  access: access.administerRead(),
});

const decided = 'The candidate was already promoted or dismissed.';

export const promoteCandidate = defineEndpoint({
  operationId: 'promoteCandidate',
  tag,
  summary: 'Creates a golden example from a candidate; the gates of dry_run check its statement first',
  method: 'POST',
  path: `${path}/candidates/{id}/promote`,
  params: IdParams,
  body: Type.Object({
    question: Type.Optional(NonBlank(4000)),
    sql: Type.Optional(NonBlank(sqlLengthMax)),
    notes: Type.Optional(nullable(Type.String({ maxLength: notesLengthMax }))),
  }),
  responses: { 201: GoldenExample },
  sends: ['ETag'],
  access: access.administer(),
  refusals: {
    400: 'The data source is not linked to the project, or a gate refuses the statement.',
    409: `${decided} Or the project already has an example for this question.`,
    424: 'The data source was unavailable, so the statement was not checked.',
  },
});

export const dismissCandidate = defineEndpoint({
  operationId: 'dismissCandidate',
  tag,
  summary: 'Dismisses a candidate',
  method: 'POST',
  path: `${path}/candidates/{id}/dismiss`,
  params: IdParams,
  responses: { 204: null },
  access: access.administer(),
  refusals: { 409: decided },
});

/** Sort names: `createdTime`; default `-createdTime`. */
export const listEvalRuns = defineEndpoint({
  operationId: 'listEvalRuns',
  tag,
  summary: 'Lists evaluations of the accuracy of answers',
  method: 'GET',
  path: `${path}/runs`,
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id) }),
  responses: { 200: pageOf(EvalRun) },
  access: access.administerRead(),
});

/** An example never matches itself, and its statement is not shown to the model. */
export const startEvalRun = defineEndpoint({
  operationId: 'startEvalRun',
  tag,
  summary: 'Has the questions of golden examples answered, and compares the results with the right answers',
  method: 'POST',
  path: `${path}/runs`,
  body: Type.Object({
    projectId: Type.Optional(Id),
    goldenIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: goldenIdsMax, uniqueItems: true })),
    repeats: Type.Optional(Repeats),
    maxTokens: Type.Optional(MaxTokens),
  }),
  responses: { 201: EvalRun },
  access: access.administer(),
  refusals: {
    400: 'The request includes no usable golden example. Broken and inactive examples are not usable.',
    409: 'No language model is configured.',
  },
});

export const getEvalRun = defineEndpoint({
  operationId: 'getEvalRun',
  tag,
  summary: 'Reads an evaluation in its current state',
  method: 'GET',
  path: `${path}/runs/{id}`,
  params: IdParams,
  responses: { 200: EvalRun },
  access: access.administerRead(),
});

export const cancelEvalRun = defineEndpoint({
  operationId: 'cancelEvalRun',
  tag,
  summary: 'Cancels an evaluation; its results so far remain',
  method: 'POST',
  path: `${path}/runs/{id}/cancel`,
  params: IdParams,
  responses: { 204: null },
  access: access.administer(),
  refusals: { 409: 'The evaluation has ended.' },
});

/** Sort names: `question`, `verdict`; default `question`. */
export const listEvalResults = defineEndpoint({
  operationId: 'listEvalResults',
  tag,
  summary: 'Lists the results of an evaluation, by question',
  method: 'GET',
  path: `${path}/runs/{id}/results`,
  params: IdParams,
  query: Type.Object({ ...listQuery, verdict: Type.Optional(wordOf(evalVerdicts)) }),
  responses: { 200: pageOf(EvalResult) },
  access: access.administerRead(),
});

export const compareEvalRuns = defineEndpoint({
  operationId: 'compareEvalRuns',
  tag,
  summary: 'Compares two evaluations by question',
  method: 'GET',
  path: `${path}/runs/{id}/compare`,
  params: IdParams,
  query: Type.Object({ with: Id }),
  responses: { 200: EvalComparison },
  access: access.administerRead(),
});

const schedulePath = `${path}/schedule`;

/** Sort names: `projectName`; default `projectName`. */
export const listEvalSchedules = defineEndpoint({
  operationId: 'listEvalSchedules',
  tag,
  summary: 'Lists the schedules of evaluations',
  method: 'GET',
  path: schedulePath,
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id) }),
  responses: { 200: pageOf(EvalSchedule) },
  access: access.administerRead(),
});

export const SavedSchedule = Type.Object({
  projectId: Id,
  cronExpression: CronExpression,
  timeZone: Type.Optional(TimeZone),
  minAccuracy: Share,
  repeats: Type.Optional(Repeats),
  maxTokens: Type.Optional(nullable(MaxTokens)),
  isPaused: Type.Optional(Type.Boolean()),
});
export type EvalScheduleInput = Static<typeof SavedSchedule>;

/**
 * A project has one schedule, and saving it makes the caller its owner. An accuracy under `minAccuracy` sends one
 * notice, and the recovery sends another.
 */
export const saveEvalSchedule = defineEndpoint({
  operationId: 'saveEvalSchedule',
  tag,
  summary:
    'Saves the schedule for evaluating the golden examples of a project; a drop in accuracy sends a notice',
  method: 'PUT',
  path: schedulePath,
  body: SavedSchedule,
  responses: { 200: EvalSchedule },
  sends: ['ETag'],
  access: access.administer(),
  refusals: {
    400: 'The schedule is not valid, fires too often or never fires.',
    404: 'The project does not exist.',
    412: 'If-Match names an earlier version of the schedule.',
  },
});

export const deleteEvalSchedule = defineEndpoint({
  operationId: 'deleteEvalSchedule',
  tag,
  summary: 'Deletes the schedule of a project; its evaluations remain',
  method: 'DELETE',
  path: schedulePath,
  query: Type.Object({ projectId: Id }),
  responses: { 204: null },
  access: access.administer(),
  refusals: { 404: 'The project has no schedule.' },
});
