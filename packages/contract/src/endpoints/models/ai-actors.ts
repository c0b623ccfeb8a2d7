import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

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
      description: 'Cron expression of scheduled thinks; null: the actor thinks only on request.',
    }),
  ),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, e.g. Europe/Zagreb.' }),
  isThinkingAfterRuns: Type.Boolean({
    description: 'The actor also thinks after a run of one of its subscriptions, at most once an hour.',
  }),
  maxQueries: upTo(aiActorMax.queries),
  maxSubscriptionsPerQuery: upTo(aiActorMax.subscriptionsPerQuery),
  maxActionsPerPlan: upTo(aiActorMax.actionsPerPlan),
  monthlyTokens: upTo(aiActorMax.monthlyTokens, 'Tokens that the actor may use in a calendar month (UTC).'),
  defaultRecipientIds: Type.Array(Id, {
    maxItems: aiActorMax.recipients,
    description: 'The only recipients that the subscriptions and data contracts of the actor may notify.',
  }),
  requiresApproval: Type.Boolean({
    description:
      'False: the actor saves new and refined queries without a plan. All other actions still need one. Only an Admin can change this value.',
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
  lastFailure: nullable(
    Type.String({ description: 'Reason why the last think failed; null after a successful think.' }),
  ),
  pendingPlanId: nullable(Id, { description: 'The plan that awaits a decision.' }),
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
    queryCount: Type.Integer({ minimum: 0, description: 'Queries of the actor that are not archived.' }),
    subscriptionCount: Type.Integer({ minimum: 0 }),
    totalTokens: Type.Integer({ minimum: 0 }),
    tokensThisMonth: Type.Integer({ minimum: 0 }),
    openThinkId: nullable(Id, { description: 'The think in progress.' }),
    queries: Type.Array(
      Type.Object({
        queryId: Id,
        name: Type.String(),
        isLocked: Type.Boolean(),
        subscriptionCount: Type.Integer({ minimum: 0 }),
      }),
    ),
    canManage: Type.Boolean({
      description:
        'The caller is the owner, a ProjectAdmin or an Admin, and may change the actor and start thinks.',
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
  isActive: Type.Optional(Type.Boolean({ description: 'Default true. False creates the actor as a draft.' })),
});
export type AiActorInput = Static<typeof AiActorInput>;

const unfit = 'A recipient does not exist, or the schedule is not valid.';
const unreadable = 'The actor does not exist, or the caller cannot read its project.';
const notTheirs = 'Only the owner of the actor, a ProjectAdmin or an Admin may do this.';
const setByAdmins = `${notTheirs} Only an Admin may change \`requiresApproval\`.`;

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
  summary: 'Creates an AI actor that the caller owns',
  method: 'POST',
  path: aiActorsPath,
  body: AiActorInput,
  responses: { 201: AiActor },
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    400: unfit,
    403: 'The caller may not write in the project, is not a stored user, or sets `requiresApproval` to false without being an Admin.',
    404: 'The caller cannot read the project, or the data source is not linked to it.',
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
  summary: 'Changes the settings of an AI actor, except its project and its data source',
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
  summary:
    'Archives an AI actor; its queries, subscriptions and contracts remain, and its pending plan expires',
  method: 'DELETE',
  path: `${aiActorsPath}/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: { 403: notTheirs, 404: unreadable },
});

const Ordered = Type.Object({ thinkId: Id, jobId: Type.String() });
const cannotThink =
  'The actor is not active, is already thinking, has used its monthly tokens, or no language model is configured.';

export const thinkAiActor = defineEndpoint({
  operationId: 'thinkAiActor',
  tag,
  summary: 'Starts a think of an AI actor in the background; its proposals become a plan',
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
  summary: 'Starts a think of an AI actor with feedback; the next version replaces a pending plan',
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
  summary: 'Pauses an active AI actor and cancels a think in progress',
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
  summary: 'Activates an AI actor that is a draft, paused or failed',
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
  summary: 'Assigns an AI actor to another owner',
  method: 'PUT',
  path: `${aiActorsPath}/{id}/owner`,
  params: IdParams,
  body: Type.Object({ userId: Id }),
  responses: { 204: null },
  access: access.administer('UserAdmin'),
  refusals: {
    400: 'The new owner is not an enabled user who may write in the project.',
    404: 'The actor does not exist.',
  },
});
