import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { feedbackVerdicts } from './ask.ts';
import { GoldenExample } from './golden-examples.ts';
import { CronExpression, Schedule, TimeZone } from './subscriptions.ts';

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
    sql: nullable(Type.String({ description: 'What was answered.' })),
    rightSql: nullable(
      Type.String({ description: 'What would have been right, in the words of whoever asked.' }),
    ),
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
    sql: Type.String({ description: 'The statement that people said is right.' }),
    verdict: wordOf(feedbackVerdicts),
    comment: nullable(Type.String()),
    userName: nullable(Type.String()),
    state: wordOf(candidateStates),
    goldenExampleId: nullable(Id, { description: 'What it was made into.' }),
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
    projectId: nullable(Id, { description: 'null: examples of all projects.' }),
    projectName: nullable(Type.String()),
    state: wordOf(evalStates),
    failure: nullable(Type.String()),
    repeats: Type.Integer({ minimum: 1, maximum: repeatsMax }),
    maxTokens: nullable(Type.Integer()),
    caseCount: Type.Integer({ description: 'Questions to ask, each as often as it is repeated.' }),
    doneCount: Type.Integer(),
    verdicts: Type.Object(
      Object.fromEntries(evalVerdicts.map((verdict) => [verdict, Type.Integer()])) as Record<
        EvalVerdict,
        ReturnType<typeof Type.Integer>
      >,
    ),
    accuracy: nullable(Share, {
      description:
        'Share of questions with an answer that got it; null before one was asked. Harness does not count.',
    }),
    accuracyLower: nullable(Share, { description: 'Of the interval of Wilson at 95 %.' }),
    accuracyUpper: nullable(Share),
    abstentionShare: nullable(Share, {
      description:
        'Share of questions without an answer of which that was said; null without such questions.',
    }),
    repairs: Type.Integer(),
    tokens: Type.Integer(),
    model: nullable(Type.String()),
    minAccuracy: nullable(Share, {
      description: 'What the schedule that started it wants; null where somebody started it.',
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
      Type.String({ description: 'What was missing, refused or different; no value of a row.' }),
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
    improved: Type.Array(Id, { description: 'Golden examples that passed every time here and not there.' }),
    worsened: Type.Array(Id, { description: 'Golden examples that passed every time there and not here.' }),
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
  description: 'Of all its calls. It stops before a call that could take more than is left.',
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
        'OwnerGone: the service paused it, since its owner is disabled or no Admin any more. null: somebody did.',
    }),
    ownerName: nullable(Type.String(), { description: 'Who saved it last; its evaluations are theirs.' }),
    isBelow: Type.Boolean({
      description: 'The last completed evaluation was less accurate than `minAccuracy` then.',
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
      description: 'When it was due last and did not start, and why.',
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
  summary: 'Lists what people say of answers',
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

const decided = 'The candidate was promoted or dismissed already.';

export const promoteCandidate = defineEndpoint({
  operationId: 'promoteCandidate',
  tag,
  summary: 'Makes a golden example of a candidate; the gates of dry_run check its statement first',
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
    409: `${decided} Or the project has an example for this question.`,
    424: 'The data source could not be asked about the statement.',
  },
});

export const dismissCandidate = defineEndpoint({
  operationId: 'dismissCandidate',
  tag,
  summary: 'Takes a candidate out of the list',
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
  summary: 'Lists evaluations of how well questions are answered',
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
  summary: 'Asks the questions of golden examples and compares what comes with what is known',
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
    400: 'No sound golden example is among them.',
    409: 'No language model is set up.',
  },
});

export const getEvalRun = defineEndpoint({
  operationId: 'getEvalRun',
  tag,
  summary: 'Reads an evaluation as far as it is',
  method: 'GET',
  path: `${path}/runs/{id}`,
  params: IdParams,
  responses: { 200: EvalRun },
  access: access.administerRead(),
});

export const cancelEvalRun = defineEndpoint({
  operationId: 'cancelEvalRun',
  tag,
  summary: 'Ends an evaluation; what was asked stays',
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
  summary: 'Lists what came of each question of an evaluation',
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
  summary: 'Tells which questions two evaluations differ in',
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
  summary: 'Lists the schedules by which projects are evaluated',
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
  summary: 'Has the golden examples of a project evaluated by a schedule, and a drop of their accuracy told',
  method: 'PUT',
  path: schedulePath,
  body: SavedSchedule,
  responses: { 200: EvalSchedule },
  sends: ['ETag'],
  access: access.administer(),
  refusals: {
    400: 'It is no schedule, or fires too often or never.',
    404: 'There is no such project.',
    412: 'If-Match names an earlier version of the schedule.',
  },
});

export const deleteEvalSchedule = defineEndpoint({
  operationId: 'deleteEvalSchedule',
  tag,
  summary: 'Ends the scheduled evaluation of a project; its evaluations stay',
  method: 'DELETE',
  path: schedulePath,
  query: Type.Object({ projectId: Id }),
  responses: { 204: null },
  access: access.administer(),
  refusals: { 404: 'The project has no such schedule.' },
});
