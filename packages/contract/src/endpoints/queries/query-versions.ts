import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import {
  ParameterValues,
  previewOptions,
  Query,
  QueryParameter,
  QueryPreview,
  runRefusals,
  StepKey,
} from './queries.ts';

const tag = 'queries';

/** States of a stored definition. One is Active. The others were active, may become active, or never became active. */
export const queryVersionStatuses = [
  'Active',
  'Archived',
  'PendingApproval',
  'Rejected',
  'Withdrawn',
] as const;
export type QueryVersionStatus = (typeof queryVersionStatuses)[number];

/** Causes of a version. */
export const queryVersionSources = ['User', 'Restore', 'AiActor', 'Import'] as const;
export type QueryVersionSource = (typeof queryVersionSources)[number];

/** Parts of a definition that can differ. */
export const definitionParts = ['Name', 'Description', 'Step', 'FinalQuery', 'Parameter'] as const;
export type DefinitionPart = (typeof definitionParts)[number];

const listed = {
  id: Id,
  queryId: Id,
  versionNumber: Type.Integer({ minimum: 1 }),
  status: wordOf(queryVersionStatuses),
  changeSource: wordOf(queryVersionSources),
  changeReason: nullable(Type.String()),
  restoredFromNumber: nullable(Type.Integer({ description: 'Number of the version that was restored.' })),
  changedParts: Type.Array(wordOf(definitionParts), {
    description: 'Parts that differ from the previous definition; empty for the first version.',
  }),
  createdByUserName: nullable(Type.String()),
  createdTime: Time,
  decidedByUserName: nullable(Type.String({ description: 'User who approved or rejected the version.' })),
  decidedAt: nullable(Time),
  decisionComment: nullable(Type.String()),
};

export const QueryVersionListItem = Type.Object(listed, { $id: 'QueryVersionListItem' });
export type QueryVersionListItem = Static<typeof QueryVersionListItem>;

/** A step of a stored version. */
export const StoredStep = Type.Object({
  key: StepKey,
  order: Type.Integer({ minimum: 1 }),
  name: nullable(Type.String()),
  description: nullable(Type.String()),
  dataSourceId: Id,
  sql: Type.String(),
});

export const QueryVersion = Type.Object(
  {
    ...listed,
    projectId: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    steps: Type.Array(
      Type.Object({
        ...StoredStep.properties,
        isSourceLinked: Type.Boolean({
          description:
            'Whether the data source is linked to the project of the query. If not, the step cannot run.',
        }),
        dataSourceName: nullable(Type.String({ description: 'Null if the data source is not linked.' })),
        engine: nullable(Type.String({ description: 'Null if the data source is not linked.' })),
      }),
    ),
    finalQuery: nullable(Type.String()),
    parameters: Type.Array(QueryParameter),
    canEdit: Type.Boolean(),
  },
  { $id: 'QueryVersion' },
);
export type QueryVersion = Static<typeof QueryVersion>;

/** Kinds of difference. `Moved`: an equal step or parameter at another position. */
export const definitionChanges = ['Added', 'Removed', 'Changed', 'Moved'] as const;
export type DefinitionChange = (typeof definitionChanges)[number];

const PartValue = nullable(Type.Union([Type.String(), StoredStep, QueryParameter]));

export const DefinitionDifference = Type.Object({
  part: wordOf(definitionParts),
  key: nullable(
    Type.String({ description: 'Key of the step or name of the parameter; null for other parts.' }),
  ),
  change: wordOf(definitionChanges),
  before: PartValue,
  after: PartValue,
});
export type DefinitionDifference = Static<typeof DefinitionDifference>;

export const QueryVersionDiff = Type.Object(
  {
    queryId: Id,
    from: Type.Object({ id: Id, versionNumber: Type.Integer() }),
    to: Type.Object({ id: Id, versionNumber: Type.Integer() }),
    parts: Type.Array(DefinitionDifference),
  },
  { $id: 'QueryVersionDiff' },
);
export type QueryVersionDiff = Static<typeof QueryVersionDiff>;

/** Events of a query: a new version, or an action that creates none. */
export const queryChangeKinds = [
  'Version',
  'Locked',
  'Unlocked',
  'Moved',
  'Published',
  'Unpublished',
] as const;
export type QueryChangeKind = (typeof queryChangeKinds)[number];

export const QueryChange = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Identifies the entry together with its kind.' }),
    kind: wordOf(queryChangeKinds),
    versionId: nullable(Type.Integer({ ...Id, description: 'Version that was created or published.' })),
    versionNumber: nullable(Type.Integer()),
    source: nullable(wordOf(queryVersionSources)),
    byUserName: nullable(Type.String()),
    reason: nullable(Type.String()),
    status: nullable(wordOf(queryVersionStatuses)),
    decidedByUserName: nullable(Type.String({ description: 'User who approved or rejected the version.' })),
    parts: Type.Array(wordOf(definitionParts)),
    at: Time,
  },
  { $id: 'QueryChange' },
);
export type QueryChange = Static<typeof QueryChange>;

export const listQueryVersions = defineEndpoint({
  operationId: 'listQueryVersions',
  tag,
  summary: 'Versions of a query, newest first',
  method: 'GET',
  path: '/svc/api/queries/{id}/versions',
  params: IdParams,
  query: Type.Object(listQuery),
  responses: { 200: pageOf(QueryVersionListItem) },
  access: access.read({ project: 'readable' }),
});

export const getQueryVersion = defineEndpoint({
  operationId: 'getQueryVersion',
  tag,
  summary: 'One version of a query, with its definition',
  method: 'GET',
  path: '/svc/api/query-versions/{id}',
  params: IdParams,
  responses: { 200: QueryVersion },
  access: access.read({ project: 'readable' }),
});

export const diffQueryVersions = defineEndpoint({
  operationId: 'diffQueryVersions',
  tag,
  summary: 'Differences between two versions of a query',
  method: 'GET',
  path: '/svc/api/query-versions/diff',
  query: Type.Object({ from: Id, to: Id }),
  responses: { 200: QueryVersionDiff },
  access: access.read({ project: 'readable' }),
});

export const previewQueryVersion = defineEndpoint({
  operationId: 'previewQueryVersion',
  tag,
  summary: 'Runs a version of a query and returns one page of its masked result',
  method: 'POST',
  path: '/svc/api/query-versions/{id}/preview',
  params: IdParams,
  query: previewOptions,
  body: Type.Object({ parameters: Type.Optional(ParameterValues) }),
  responses: { 200: QueryPreview },
  access: access.runByPost({ project: 'readable' }),
  refusals: runRefusals,
});

export const RestoreQueryVersionBody = Type.Object({
  changeReason: Type.Optional(
    nullable(
      Type.String({ maxLength: 2_000, description: 'Reason of the change. It is stored with the version.' }),
    ),
  ),
});

export const restoreQueryVersion = defineEndpoint({
  operationId: 'restoreQueryVersion',
  tag,
  summary: 'Restores the definition of an earlier version, as a new version',
  method: 'POST',
  path: '/svc/api/query-versions/{id}/restore',
  params: IdParams,
  body: RestoreQueryVersionBody,
  responses: { 200: Query, 202: Query },
  edits: 'Query',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 412: 'The query changed after the caller read it.' },
});

export const withdrawQueryVersion = defineEndpoint({
  operationId: 'withdrawQueryVersion',
  tag,
  summary: "Withdraws the caller's own version that awaits approval",
  method: 'POST',
  path: '/svc/api/queries/{id}/versions/{versionId}/withdraw',
  params: Type.Object({ id: Id, versionId: Id }),
  responses: { 200: Query },
  access: access.write({ project: 'writable' }),
  refusals: {
    403: 'Another user requested the approval of this version.',
    409: 'The version no longer awaits approval.',
  },
});

export const listQueryChanges = defineEndpoint({
  operationId: 'listQueryChanges',
  tag,
  summary: 'History of a query, newest first: changes with their users and reasons',
  method: 'GET',
  path: '/svc/api/queries/{id}/change-history',
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    stepKey: Type.Optional({ ...StepKey, description: 'Only versions that change this step.' }),
    source: Type.Optional(wordOf(queryVersionSources)),
    from: Type.Optional(Time),
    to: Type.Optional({ ...Time, description: 'Only events before this time.' }),
  }),
  responses: { 200: pageOf(QueryChange) },
  access: access.read({ project: 'readable' }),
});
