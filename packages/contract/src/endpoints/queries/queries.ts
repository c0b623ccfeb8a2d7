import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import {
  BilledBytes,
  FiniteNumber,
  Id,
  IdParams,
  listQuery,
  mapOf,
  NonBlank,
  NumberFormat,
  nullable,
  pageOf,
  Retries,
  ScannedBytes,
  Time,
  wordOf,
} from '../../shapes.ts';

export const parameterTypes = ['Number', 'DateTime', 'Date', 'String', 'Boolean'] as const;
export type ParameterType = (typeof parameterTypes)[number];
export const exportFormats = ['Csv', 'Xlsx', 'Json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const tag = 'queries';

const ParameterValue = Type.Union([
  Type.String({ maxLength: 4_000 }),
  FiniteNumber,
  Type.Boolean(),
  Type.Null(),
]);
export const ParameterValues = mapOf(ParameterValue, {
  nameLengthMax: 100,
  description: 'Values by parameter name. Omitted parameters get their defaults.',
});

export const QueryParameter = Type.Object({
  name: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
    description: 'Written in the SQL as {{name}}.',
  }),
  type: wordOf(parameterTypes),
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  defaultValue: Type.Optional(ParameterValue),
  isRequired: Type.Optional(
    Type.Boolean({
      description:
        'If true, a run without a value and without a default is refused. If false, the value is NULL. Default true.',
    }),
  ),
});
export type QueryParameter = Static<typeof QueryParameter>;

const Sql = Type.String({ minLength: 1, maxLength: 200_000, pattern: '\\S' });

export const StepKey = Type.String({
  pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
  description: 'Identifies the step in all versions of the query, even if its position changes.',
});

export const QueryStepInput = Type.Object({
  key: Type.Optional(StepKey),
  name: Type.Optional(
    nullable(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$',
        description: 'Second name of the result in the final query, in addition to step1, step2, …',
      }),
    ),
  ),
  description: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  dataSourceId: Id,
  sql: Sql,
});
export type QueryStepInput = Static<typeof QueryStepInput>;

const definition = {
  steps: Type.Array(QueryStepInput, { maxItems: 20, description: 'Steps in the order in which they run.' }),
  finalQuery: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200_000,
        description:
          'SQL over the results of the steps (DuckDB). Without it, the result is that of the last step.',
      }),
    ),
  ),
  parameters: Type.Optional(Type.Array(QueryParameter, { maxItems: 50 })),
};

export const QueryStep = Type.Object({
  id: Id,
  key: StepKey,
  order: Type.Integer({ minimum: 1 }),
  name: nullable(Type.String()),
  description: nullable(Type.String()),
  dataSourceId: Id,
  dataSourceName: Type.String(),
  engine: Type.String(),
  sql: Type.String(),
});
export type QueryStep = Static<typeof QueryStep>;

/** Results of a check of a saved query: the engines plan its steps. */
export const queryCheckVerdicts = ['Passed', 'Failed', 'NotChecked'] as const;
export type QueryCheckVerdict = (typeof queryCheckVerdicts)[number];

const QueryCheck = Type.Object(
  {
    verdict: wordOf(queryCheckVerdicts),
    message: nullable(Type.String({ description: 'Message of the engine; null if it accepted the query.' })),
    checkedAt: Time,
  },
  { description: 'Result of the last check after a change of the schema.' },
);

const shared = {
  id: Id,
  projectId: Id,
  projectName: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  folderId: nullable(Id),
  folderPath: nullable(
    Type.String({ description: 'Path of its folder: names from the top level down, with "/" as separator.' }),
  ),
  check: nullable(QueryCheck),
  isLocked: Type.Boolean(),
  subscriptionCount: Type.Integer(),
  isDemo: Type.Boolean(),
  createdTime: Time,
  updatedAt: Time,
  version: Type.Integer(),
};

/** A saved definition that awaits the approval of another user. */
const PendingVersion = Type.Object({
  id: Id,
  versionNumber: Type.Integer({ minimum: 1 }),
  approvalId: Id,
  requestedByUserName: nullable(Type.String()),
  isOwn: Type.Boolean({
    description: 'The caller requested the approval. Only the requester may withdraw or replace the version.',
  }),
});

export const Query = Type.Object(
  {
    ...shared,
    versionNumber: nullable(
      Type.Integer({
        description:
          'Number of the stored definition. `version` counts every change of the record. Null until a new query is approved.',
      }),
    ),
    pendingVersion: nullable(PendingVersion),
    savedByUserName: nullable(
      Type.String({ description: 'User who saved the current definition; null: the service.' }),
    ),
    savedAt: Time,
    createdByUserName: nullable(
      Type.String({ description: 'User who created the query; null: the service.' }),
    ),
    steps: Type.Array(QueryStep),
    finalQuery: nullable(Type.String()),
    parameters: Type.Array(QueryParameter),
    canEdit: Type.Boolean(),
  },
  { $id: 'Query' },
);
export type Query = Static<typeof Query>;

export const QueryListItem = Type.Object(
  {
    ...shared,
    stepCount: Type.Integer(),
    dataSourceNames: Type.Array(Type.String()),
    engines: Type.Array(Type.String()),
    isCrossDataSource: Type.Boolean(),
  },
  { $id: 'QueryListItem' },
);
export type QueryListItem = Static<typeof QueryListItem>;

export const QueryPreview = Type.Object(
  {
    versionNumber: nullable(
      Type.Integer({
        description: 'Version of the stored definition that ran; null: the definition is not stored.',
      }),
    ),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.String(),
        databaseType: Type.String(),
        isMasked: Type.Boolean(),
        maskedReason: nullable(
          Type.String({
            description:
              'Reason why the column is masked, and how to change the statement; null: not masked.',
          }),
        ),
      }),
    ),
    rows: Type.Array(Type.Array(Type.Unknown())),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    totalCount: Type.Integer({
      description: 'Rows of the result, or the rows counted until the preview stopped.',
    }),
    pageCount: Type.Integer(),
    isComplete: Type.Boolean({ description: 'False: the result has more rows than a preview reads.' }),
    executionTimeMs: Type.Number(),
    steps: Type.Array(
      Type.Object({
        order: Type.Integer(),
        name: Type.String(),
        outcome: wordOf(['Succeeded', 'Failed', 'NotRun']),
        rowCount: Type.Integer(),
        executionTimeMs: Type.Number(),
        scannedBytes: ScannedBytes,
        billedBytes: BilledBytes,
        retries: Retries,
      }),
    ),
  },
  { $id: 'QueryPreview' },
);
export type QueryPreview = Static<typeof QueryPreview>;

export const runRefusals = {
  400: 'The statement cannot run. `code`, `detail` and `errors` contain the reason and the position.',
  429: 'Too many concurrent runs for this data source or caller.',
  422: 'The statement exceeded its time limit or its memory limit.',
  424: 'The data source failed.',
} as const;

export const listQueries = defineEndpoint({
  operationId: 'listQueries',
  tag,
  summary: 'Queries of the readable projects',
  method: 'GET',
  path: '/svc/api/queries',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name or the description.' }),
    ),
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    folderId: Type.Optional({ ...Id, description: 'Queries in this folder and in its subfolders.' }),
    check: Type.Optional(wordOf(queryCheckVerdicts)),
  }),
  responses: { 200: pageOf(QueryListItem) },
  access: access.read({ project: 'readable' }),
});

export const CreateQueryBody = Type.Object({
  projectId: Id,
  name: NonBlank(200),
  description: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  ...definition,
  steps: Type.Optional(definition.steps),
  folderId: Type.Optional(nullable(Id)),
});

export const createQuery = defineEndpoint({
  operationId: 'createQuery',
  tag,
  summary: 'Creates a query in a project',
  method: 'POST',
  path: '/svc/api/queries',
  body: CreateQueryBody,
  responses: { 201: Query, 202: Query },
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: { 404: 'The project or a data source does not exist, or the caller may not see it.' },
});

export const getQuery = defineEndpoint({
  operationId: 'getQuery',
  tag,
  summary: 'One query',
  method: 'GET',
  path: '/svc/api/queries/{id}',
  params: IdParams,
  responses: { 200: Query },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const updateQuery = defineEndpoint({
  operationId: 'updateQuery',
  tag,
  summary: 'Replaces the definition of a query',
  method: 'PUT',
  path: '/svc/api/queries/{id}',
  params: IdParams,
  body: Type.Object({
    name: NonBlank(200),
    description: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
    ...definition,
    changeReason: Type.Optional(
      nullable(
        Type.String({
          maxLength: 2_000,
          description: 'Reason of the change. It is stored with the version.',
        }),
      ),
    ),
  }),
  responses: { 200: Query, 202: Query },
  edits: 'Query',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'A change by another user is awaiting approval.',
    412: 'The query changed after the caller read it.',
  },
});

export const lockQuery = defineEndpoint({
  operationId: 'lockQuery',
  tag,
  summary: 'Locks a query against changes by AI actors, or unlocks it',
  method: 'POST',
  path: '/svc/api/queries/{id}/lock',
  params: IdParams,
  body: Type.Object({ isLocked: Type.Boolean() }),
  responses: { 200: Query },
  access: access.write({ project: 'writable' }),
});

const RunKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{8,64}$',
  description: 'Key that the client chooses for the run. A stop request uses the same key.',
});
export const previewExtents = ['Page', 'Whole'] as const;
export const previewOptions = Type.Object({
  page: listQuery.page,
  pageSize: listQuery.pageSize,
  extent: Type.Optional(
    Type.Unsafe<(typeof previewExtents)[number]>({
      ...wordOf(previewExtents),
      description:
        '`Whole`: one response with all rows that a preview reads, and `page` and `pageSize` are ignored. A preview reads at most 10,000 rows, and fewer if they exceed 16 million characters. Default `Page`.',
    }),
  ),
  runKey: Type.Optional(RunKey),
  numbers: Type.Optional(NumberFormat),
});

export const previewQuery = defineEndpoint({
  operationId: 'previewQuery',
  tag,
  summary: 'Runs a saved query and returns one page of its masked result',
  method: 'POST',
  path: '/svc/api/queries/{id}/preview',
  params: IdParams,
  query: previewOptions,
  body: Type.Object({ parameters: Type.Optional(ParameterValues) }),
  responses: { 200: QueryPreview },
  access: access.runByPost({ project: 'readable' }),
  refusals: runRefusals,
});

export const previewQueryStep = defineEndpoint({
  operationId: 'previewQueryStep',
  tag,
  summary: 'Runs one step of a saved query',
  method: 'POST',
  path: '/svc/api/queries/{id}/steps/{stepOrder}/preview',
  params: Type.Object({ id: Id, stepOrder: Type.Integer({ minimum: 1, maximum: 1_000 }) }),
  query: previewOptions,
  body: Type.Object({ parameters: Type.Optional(ParameterValues) }),
  responses: { 200: QueryPreview },
  access: access.runByPost({ project: 'readable' }),
  refusals: runRefusals,
});

/** A query, saved or not, with values of its parameters. */
export const draftBody = Type.Object({
  projectId: Id,
  ...definition,
  values: Type.Optional(ParameterValues),
});

export const previewDraft = defineEndpoint({
  operationId: 'previewDraft',
  tag,
  summary: 'Runs a draft without saving it',
  method: 'POST',
  path: '/svc/api/queries/preview',
  query: previewOptions,
  body: draftBody,
  responses: { 200: QueryPreview },
  access: access.write({ project: 'writable' }),
  refusals: runRefusals,
});

export const stopOutcomes = ['Stopped', 'StillEnding', 'NotRunning'] as const;

export const stopRun = defineEndpoint({
  operationId: 'stopRun',
  tag,
  summary: "Stops one of the caller's own previews, and waits until the data source has ended it",
  method: 'POST',
  path: '/svc/api/queries/runs/{runKey}/stop',
  params: Type.Object({ runKey: RunKey }),
  responses: {
    200: Type.Object(
      { outcome: wordOf(stopOutcomes) },
      {
        description:
          '`StillEnding`: the data source did not end the run within 10 seconds. `NotRunning`: the run has ended, or runs in another process. To stop it there, close its request.',
      },
    ),
  },
  access: access.runByPost(),
});

export const exportQuery = defineEndpoint({
  operationId: 'exportQuery',
  tag,
  summary: 'Runs a saved query and streams its complete masked result as a file',
  method: 'POST',
  path: '/svc/api/queries/{id}/export',
  params: IdParams,
  body: Type.Object({
    format: wordOf(exportFormats),
    parameters: Type.Optional(ParameterValues),
    numbers: Type.Optional(NumberFormat),
  }),
  responses: { 200: { contentType: 'application/octet-stream', description: 'The file.' } },
  sends: ['Content-Disposition'],
  access: access.runByPost({ project: 'readable' }),
  refusals: runRefusals,
});
