import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, mapOf, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { notificationTriggers } from '../notifications/subscriptions.ts';
import { aiActorsPath } from './ai-actors.ts';

const tag = 'ai-actors';

export const aiThinkOrigins = ['Request', 'Refinement', 'Revision', 'Schedule', 'AfterRun'] as const;
export type AiThinkOrigin = (typeof aiThinkOrigins)[number];
export const aiThinkStates = ['Waiting', 'Working', 'Completed', 'Failed', 'Cancelled'] as const;
export type AiThinkState = (typeof aiThinkStates)[number];

/** Actions that an actor may propose. The list is closed: the code executes no other action. */
export const aiActionTypes = [
  'CreateQuery',
  'RefineQuery',
  'CreateSubscription',
  'ArchiveSubscription',
  'CreateContract',
] as const;
export type AiActionType = (typeof aiActionTypes)[number];

export const aiPlanStatuses = [
  'Pending',
  'Applied',
  'Rejected',
  'Withdrawn',
  'RevisionRequested',
  'Expired',
] as const;
export type AiPlanStatus = (typeof aiPlanStatuses)[number];

/** Days until an undecided plan expires. */
export const aiPlanDays = 14;

/** Rules that an actor may propose. None contains SQL, and none reads another table. */
export const aiRuleTypes = [
  'Freshness',
  'Volume',
  'NullRate',
  'Range',
  'AcceptedValues',
  'Uniqueness',
] as const;
export type AiRuleType = (typeof aiRuleTypes)[number];

const Tokens = Type.Object({ input: Type.Integer(), output: Type.Integer(), isEstimated: Type.Boolean() });
const Findings = Type.Array(Type.String(), { description: 'Observations of the model, in its own words.' });
const Discarded = Type.Array(
  Type.Object({ type: wordOf(aiActionTypes), reasoning: Type.String(), problem: Type.String() }),
  {
    description:
      'Proposed actions that the service rejected, each with the reason. They are not in the plan.',
  },
);

export const AiThink = Type.Object(
  {
    id: Id,
    actorId: Id,
    origin: wordOf(aiThinkOrigins),
    state: wordOf(aiThinkStates),
    orderedByUserName: nullable(
      Type.String({ description: 'User who started the think. Null: a schedule or a run started it.' }),
    ),
    feedback: nullable(Type.String()),
    analysis: nullable(Type.String()),
    findings: Findings,
    discarded: Discarded,
    applied: Type.Array(Type.Object({ type: wordOf(aiActionTypes), queryId: Id, queryName: Type.String() }), {
      description:
        'Queries that the think saved immediately, because the actor needs no approval for queries.',
    }),
    planId: nullable(Id),
    failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    tokens: Tokens,
    model: nullable(Type.String()),
    jobId: nullable(Type.String()),
    orderedAt: Time,
    startedAt: nullable(Time),
    finishedAt: nullable(Time),
  },
  { $id: 'AiThink' },
);
export type AiThink = Static<typeof AiThink>;

const Rule = Type.Object({
  name: Type.String(),
  type: wordOf(aiRuleTypes),
  columns: Type.Array(Type.String()),
  config: mapOf(Type.Unknown()),
});

export const AiPlanAction = Type.Object(
  {
    id: Id,
    type: wordOf(aiActionTypes),
    reasoning: Type.String({ description: 'Reason for the action, in the words of the model.' }),
    isApplied: Type.Boolean(),
    queryId: nullable(Id, { description: 'Query of the action; null for a new query.' }),
    queryName: nullable(Type.String()),
    isQueryLocked: Type.Boolean({
      description: 'The query is locked. The plan cannot be applied while it is locked.',
    }),
    description: nullable(Type.String()),
    sql: nullable(Type.String()),
    currentSql: nullable(Type.String({ description: 'Current SQL of the query that the action refines.' })),
    cronExpression: nullable(Type.String()),
    timeZone: nullable(Type.String()),
    notificationTrigger: nullable(wordOf(notificationTriggers)),
    minimumRowCount: nullable(Type.Integer()),
    subscriptionId: nullable(Id),
    schemaName: nullable(Type.String()),
    tableName: nullable(Type.String()),
    contractName: nullable(Type.String()),
    rules: Type.Array(Rule),
    recipients: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description: 'Recipients that would be notified.',
    }),
    sample: nullable(
      Type.Object({
        columns: Type.Array(Type.String()),
        rows: Type.Array(Type.Array(Type.Unknown())),
        isTruncated: Type.Boolean(),
      }),
      { description: 'Masked rows of the test run of the statement. Only readers of the project get them.' },
    ),
    resultQueryId: nullable(Id),
    resultSubscriptionId: nullable(Id),
    resultContractId: nullable(Id),
  },
  { $id: 'AiPlanAction' },
);
export type AiPlanAction = Static<typeof AiPlanAction>;

const planFields = {
  id: Id,
  actorId: Id,
  actorName: Type.String(),
  projectId: Id,
  projectName: Type.String(),
  status: wordOf(aiPlanStatuses),
  version: Type.Integer({ minimum: 1 }),
  parentPlanId: nullable(Id),
  thinkId: Id,
  analysis: Type.String(),
  actionCount: Type.Integer({ minimum: 0 }),
  createdTime: Time,
  expiresAt: Time,
  decidedByUserName: nullable(Type.String()),
  decidedAt: nullable(Time),
  comment: nullable(Type.String()),
};

export const AiPlanSummary = Type.Object(planFields, { $id: 'AiPlanSummary' });
export type AiPlanSummary = Static<typeof AiPlanSummary>;

export const AiPlan = Type.Object(
  {
    ...planFields,
    feedback: nullable(Type.String({ description: 'Changes that the reviewer requested from the model.' })),
    findings: Findings,
    discarded: Discarded,
    actions: Type.Array(AiPlanAction),
    planHash: nullable(Type.String(), {
      description:
        'Hash of the displayed plan. The approval request must contain it. Null once the plan is decided.',
    }),
    canDecide: Type.Boolean({
      description: 'The plan is pending, and the caller is an Approver or Admin who is not involved in it.',
    }),
    canWithdraw: Type.Boolean(),
    tokens: Tokens,
    model: nullable(Type.String()),
  },
  { $id: 'AiPlan' },
);
export type AiPlan = Static<typeof AiPlan>;

const unreadable = 'The actor does not exist, or the caller cannot read its project.';
const noPlan = 'The plan does not exist, or the caller can neither read its project nor is an Approver.';
const ownPlan =
  'The caller owns or created the actor, or started a think of the plan. Another user must decide.';

/** Newest first. */
export const listAiThinks = defineEndpoint({
  operationId: 'listAiThinks',
  tag,
  summary: 'Thinks of an AI actor, newest first',
  method: 'GET',
  path: `${aiActorsPath}/{id}/thinks`,
  params: IdParams,
  query: Type.Object(listQuery),
  responses: { 200: pageOf(AiThink) },
  access: access.read({ project: 'readable' }),
  refusals: { 404: unreadable },
});

export const listAiActorPlans = defineEndpoint({
  operationId: 'listAiActorPlans',
  tag,
  summary: 'Plans of an AI actor, newest first',
  method: 'GET',
  path: `${aiActorsPath}/{id}/plans`,
  params: IdParams,
  query: Type.Object({ ...listQuery, status: Type.Optional(wordOf(aiPlanStatuses)) }),
  responses: { 200: pageOf(AiPlanSummary) },
  access: access.read({ project: 'readable' }),
  refusals: { 404: unreadable },
});

export const listAiPlans = defineEndpoint({
  operationId: 'listAiPlans',
  tag,
  summary: 'Plans of the AI actors of the readable projects, newest first; Approvers can read all plans',
  method: 'GET',
  path: `${aiActorsPath}/plans`,
  query: Type.Object({ ...listQuery, status: Type.Optional(wordOf(aiPlanStatuses)) }),
  responses: { 200: pageOf(AiPlanSummary) },
  access: access.read({ project: 'readable', or: ['Approver'] }),
});

export const getAiPlan = defineEndpoint({
  operationId: 'getAiPlan',
  tag,
  summary: 'Reads a plan with its actions and the recipients that would be notified',
  method: 'GET',
  path: `${aiActorsPath}/plans/{id}`,
  params: IdParams,
  responses: { 200: AiPlan },
  access: access.read({ project: 'readable', or: ['Approver'] }),
  refusals: { 404: noPlan },
});

export const ApproveAiPlanBody = Type.Object({
  planHash: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The `planHash` of the plan that the caller reviewed.',
  }),
  actionIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      description: 'Actions to apply. Default: all. The other actions are not applied.',
    }),
  ),
  comment: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
});

export const approveAiPlan = defineEndpoint({
  operationId: 'approveAiPlan',
  tag,
  summary: 'Applies a plan, or some of its actions, as the owner of the actor',
  method: 'POST',
  path: `${aiActorsPath}/plans/{id}/approve`,
  params: IdParams,
  body: ApproveAiPlanBody,
  responses: { 200: AiPlan },
  access: access.administer('Approver'),
  refusals: {
    400: 'An action does not belong to the plan, or depends on an action that the request omits.',
    403: ownPlan,
    409: 'The plan is not pending, has expired or is stale; a query is locked; a limit is reached; or the owner lacks a right.',
  },
});

export const RejectAiPlanBody = Type.Object({ comment: NonBlank(2_000) });

export const rejectAiPlan = defineEndpoint({
  operationId: 'rejectAiPlan',
  tag,
  summary: 'Rejects a plan',
  method: 'POST',
  path: `${aiActorsPath}/plans/{id}/reject`,
  params: IdParams,
  body: RejectAiPlanBody,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 403: ownPlan, 409: 'The plan is no longer pending.' },
});

export const ReviseAiPlanBody = Type.Object({ feedback: NonBlank(4_000) });

export const reviseAiPlan = defineEndpoint({
  operationId: 'reviseAiPlan',
  tag,
  summary: 'Requests another version of a plan; the same reviewer may decide on that version',
  method: 'POST',
  path: `${aiActorsPath}/plans/{id}/request-revision`,
  params: IdParams,
  body: ReviseAiPlanBody,
  responses: { 202: Type.Object({ thinkId: Id, jobId: Type.String() }) },
  access: access.administer('Approver'),
  refusals: { 403: ownPlan, 409: 'The plan is no longer pending, or the actor cannot think now.' },
});

export const withdrawAiPlan = defineEndpoint({
  operationId: 'withdrawAiPlan',
  tag,
  summary: 'Withdraws a plan before it is decided',
  method: 'POST',
  path: `${aiActorsPath}/plans/{id}/withdraw`,
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: {
    403: 'Only the owner of the actor, a ProjectAdmin or an Admin may withdraw the plan.',
    404: noPlan,
    409: 'The plan is no longer pending.',
  },
});
