import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../shapes.ts';

const tag = 'ai-actors';
export const aiActorsPath = '/svc/api/ai-actors';

/** `Draft` and `Paused` actors do not think. `Failed`: three thinks in a row failed. `Archived` is final. */
export const aiActorStates = ['Draft', 'Active', 'Paused', 'Failed', 'Archived'] as const;
export type AiActorState = (typeof aiActorStates)[number];

export const aiActorMax = {
  name: 200,
  instructions: 4_000,
  additionalContext: 8_000,
  queries: 100,
  subscriptionsPerQuery: 20,
  actionsPerPlan: 20,
  monthlyTokens: 100_000_000,
  recipients: 20,
} as const;

/** Defaults of a new actor. */
export const aiActorDefaults = {
  maxQueries: 10,
  maxSubscriptionsPerQuery: 3,
  maxActionsPerPlan: 10,
  monthlyTokens: 200_000,
} as const;

const upTo = (maximum: number, description?: string) =>
  Type.Integer({ minimum: 1, maximum, ...(description !== undefined && { description }) });

const settings = {
  name: NonBlank(aiActorMax.name),
  instructions: NonBlank(aiActorMax.instructions),
  additionalContext: nullable(Type.String({ maxLength: aiActorMax.additionalContext })),
  thinkSchedule: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Cron expression by which it thinks; null: it thinks on request alone.',
    }),
  ),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, e.g. Europe/Zagreb.' }),
  isThinkingAfterRuns: Type.Boolean({
    description: 'It thinks after runs of its own subscriptions, at most once an hour.',
  }),
  maxQueries: upTo(aiActorMax.queries),
  maxSubscriptionsPerQuery: upTo(aiActorMax.subscriptionsPerQuery),
  maxActionsPerPlan: upTo(aiActorMax.actionsPerPlan),
  monthlyTokens: upTo(aiActorMax.monthlyTokens, 'Tokens that it may use in a month of UTC.'),
  defaultRecipientIds: Type.Array(Id, {
    maxItems: aiActorMax.recipients,
    description: 'The only recipients that its subscriptions and contracts tell.',
  }),
  requiresApproval: Type.Boolean({
    description: 'False, which Admins alone set: new and refined queries need no plan. All else still does.',
  }),
};

const summary = {
  id: Id,
  projectId: Id,
  projectName: Type.String(),
  dataSourceId: Id,
  dataSourceName: Type.String(),
  name: Type.String(),
  instructions: Type.String(),
  state: wordOf(aiActorStates),
  ownerUserId: nullable(Id),
  ownerName: nullable(Type.String()),
  thinkCount: Type.Integer({ minimum: 0 }),
  lastThinkAt: nullable(Time),
  lastFailure: nullable(Type.String({ description: 'Why its last think failed; null once one succeeded.' })),
  pendingPlanId: nullable(Id, { description: 'The plan that waits for a decision.' }),
  createdTime: Time,
};

export const AiActorSummary = Type.Object(summary, { $id: 'AiActorSummary' });
export type AiActorSummary = Static<typeof AiActorSummary>;

export const AiActor = Type.Object(
  {
    ...summary,
    ...settings,
    createdByUserId: nullable(Id),
    nextThinkAt: nullable(Time),
    queryCount: Type.Integer({ minimum: 0, description: 'Queries of its own that are not archived.' }),
    subscriptionCount: Type.Integer({ minimum: 0 }),
    totalTokens: Type.Integer({ minimum: 0 }),
    tokensThisMonth: Type.Integer({ minimum: 0 }),
    openThinkId: nullable(Id, { description: 'The think that is going on.' }),
    queries: Type.Array(
      Type.Object({
        queryId: Id,
        name: Type.String(),
        isLocked: Type.Boolean(),
        subscriptionCount: Type.Integer({ minimum: 0 }),
      }),
    ),
    canManage: Type.Boolean({
      description: 'Owner, ProjectAdmin or Admin: may change it and have it think.',
    }),
    updatedAt: Time,
    version: Type.Integer(),
  },
  { $id: 'AiActor' },
);
export type AiActor = Static<typeof AiActor>;

const { name, instructions, ...others } = settings;
const optional = Object.fromEntries(
  Object.entries(others).map(([member, schema]) => [member, Type.Optional(schema)]),
) as { [K in keyof typeof others]: ReturnType<typeof Type.Optional<(typeof others)[K]>> };

/** Saved form of an actor. An omitted member gets its default. */
export const AiActorChange = Type.Object({ name, instructions, ...optional });
export type AiActorChange = Static<typeof AiActorChange>;

export const AiActorInput = Type.Object({
  projectId: Id,
  dataSourceId: Id,
  ...AiActorChange.properties,
  isActive: Type.Optional(Type.Boolean({ description: 'Default true; false makes a draft.' })),
});
export type AiActorInput = Static<typeof AiActorInput>;

const unfit = 'A recipient does not exist, or the schedule is not sound.';
const unreadable = 'There is no such actor in a project that the caller reads.';
const notTheirs = 'Only its owner, a ProjectAdmin or an Admin may.';
const setByAdmins = `${notTheirs} That it needs no approval is set by an Admin.`;

/** Sort names: `name`, `createdTime`, `lastThinkAt`; default `-createdTime`. Only `state` lists archived actors. */
export const listAiActors = defineEndpoint({
  operationId: 'listAiActors',
  tag,
  summary: 'AI actors of the readable projects',
  method: 'GET',
  path: aiActorsPath,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name.' })),
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    state: Type.Optional(wordOf(aiActorStates)),
  }),
  responses: { 200: pageOf(AiActorSummary) },
  access: access.read({ project: 'readable' }),
});

export const createAiActor = defineEndpoint({
  operationId: 'createAiActor',
  tag,
  summary: 'Makes an AI actor, which the caller owns',
  method: 'POST',
  path: aiActorsPath,
  body: AiActorInput,
  responses: { 201: AiActor },
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    400: unfit,
    403: 'The caller may not write in the project, is no stored user, or is no Admin and asks for no approval.',
    404: 'The project is not readable, or the data source is none of its.',
  },
});

export const getAiActor = defineEndpoint({
  operationId: 'getAiActor',
  tag,
  summary: 'Reads an AI actor with its queries',
  method: 'GET',
  path: `${aiActorsPath}/{id}`,
  params: IdParams,
  responses: { 200: AiActor },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
  refusals: { 404: unreadable },
});

export const replaceAiActor = defineEndpoint({
  operationId: 'replaceAiActor',
  tag,
  summary: 'Changes the settings of an AI actor; its project and its data source stay',
  method: 'PUT',
  path: `${aiActorsPath}/{id}`,
  params: IdParams,
  body: AiActorChange,
  responses: { 200: AiActor },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: {
    400: unfit,
    403: setByAdmins,
    404: unreadable,
    409: 'The actor is archived.',
    412: 'If-Match names an earlier version of the actor.',
  },
});

export const archiveAiActor = defineEndpoint({
  operationId: 'archiveAiActor',
  tag,
  summary: 'Archives an AI actor; what it made stays, and its plan expires',
  method: 'DELETE',
  path: `${aiActorsPath}/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: { 403: notTheirs, 404: unreadable },
});

const Ordered = Type.Object({ thinkId: Id, jobId: Type.String() });
const cannotThink =
  'The actor is not active, is thinking already, has spent its tokens of the month, or no language model is set up.';

export const thinkAiActor = defineEndpoint({
  operationId: 'thinkAiActor',
  tag,
  summary: 'Has an AI actor think in the background; what it proposes becomes a plan',
  method: 'POST',
  path: `${aiActorsPath}/{id}/think`,
  params: IdParams,
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
  refusals: { 403: notTheirs, 404: unreadable, 409: cannotThink },
});

export const RefineAiActorBody = Type.Object({ feedback: NonBlank(4_000) });

export const refineAiActor = defineEndpoint({
  operationId: 'refineAiActor',
  tag,
  summary: 'Has an AI actor think again with feedback; a plan that waits is replaced by the next version',
  method: 'POST',
  path: `${aiActorsPath}/{id}/refine`,
  params: IdParams,
  body: RefineAiActorBody,
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
  refusals: { 403: notTheirs, 404: unreadable, 409: cannotThink },
});

export const pauseAiActor = defineEndpoint({
  operationId: 'pauseAiActor',
  tag,
  summary: 'Pauses an active AI actor; a think that is going on is cancelled',
  method: 'POST',
  path: `${aiActorsPath}/{id}/pause`,
  params: IdParams,
  responses: { 200: AiActor },
  access: access.write({ project: 'writable' }),
  refusals: { 403: notTheirs, 404: unreadable, 409: 'The actor is not active.' },
});

export const resumeAiActor = defineEndpoint({
  operationId: 'resumeAiActor',
  tag,
  summary: 'Makes a draft, a paused or a failed AI actor active',
  method: 'POST',
  path: `${aiActorsPath}/{id}/resume`,
  params: IdParams,
  responses: { 200: AiActor },
  access: access.write({ project: 'writable' }),
  refusals: {
    403: notTheirs,
    404: unreadable,
    409: 'The actor is active or archived, or its owner may not write in the project.',
  },
});

export const setAiActorOwner = defineEndpoint({
  operationId: 'setAiActorOwner',
  tag,
  summary: 'Gives an AI actor to another owner',
  method: 'PUT',
  path: `${aiActorsPath}/{id}/owner`,
  params: IdParams,
  body: Type.Object({ userId: Id }),
  responses: { 204: null },
  access: access.administer('UserAdmin'),
  refusals: {
    400: 'The new owner is no enabled user who may write in the project.',
    404: 'There is no such actor.',
  },
});
