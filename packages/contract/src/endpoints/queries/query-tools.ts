import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, mapOf, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

/** Prefix of the tool name that clients see for a query. */
export const queryToolPrefix = 'q_';
/** Query tools that one caller is offered by name. Search returns the rest. */
export const queryToolsOfferedMax = 25;

const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{2,40}$',
  description: 'Unique among published queries. If omitted, the name does not change.',
});
const Description = nullable(
  Type.String({
    maxLength: 2_000,
    description: 'Description for clients; null: the description of the version.',
  }),
);

/**
 * Reasons why clients cannot use a published query, or why it fails. `BeyondOffered`: the project has more published
 * queries than are offered by name. Clients reach this query by search only.
 */
export const queryToolIssues = [
  'McpOff',
  'SourceNotLinked',
  'CheckFailed',
  'ToolOff',
  'BeyondOffered',
] as const;
export type QueryToolIssue = (typeof queryToolIssues)[number];

/** A query as a tool for AI clients. */
export const QueryMcpTool = Type.Object(
  {
    queryId: Id,
    queryName: Type.String(),
    projectId: Id,
    projectName: Type.String(),
    isEnabled: Type.Boolean(),
    name: nullable(Type.String({ description: 'Null until the query is published for the first time.' })),
    toolName: nullable(
      Type.String({ description: 'Name of the tool for clients; null while the query is not published.' }),
    ),
    description: nullable(Type.String({ description: 'Null: the description of the version applies.' })),
    versionId: nullable(Id),
    versionNumber: nullable(
      Type.Integer({ description: 'Version that clients run. Later versions do not change it.' }),
    ),
    newestVersionId: nullable(Id),
    newestVersionNumber: nullable(
      Type.Integer({ description: 'Number of the current version of the query.' }),
    ),
    isNewest: Type.Boolean(),
    isFollowing: Type.Boolean({
      description: 'Queries need approval here, and each approved version is published automatically.',
    }),
    offer: nullable(
      Type.Object(
        {
          name: Type.String(),
          title: Type.String(),
          description: Type.String(),
          inputSchema: mapOf(Type.Unknown(), { description: 'JSON Schema of the arguments.' }),
        },
        { description: 'The tool as clients see it; null while the query is not published.' },
      ),
    ),
    issues: Type.Array(wordOf(queryToolIssues)),
    publishedAt: nullable(Time),
    publishedByUserName: nullable(Type.String()),
    version: Type.Integer({ minimum: 0, description: '0: the query was never published.' }),
  },
  { $id: 'QueryMcpTool' },
);
export type QueryMcpTool = Static<typeof QueryMcpTool>;

const path = '/svc/api/queries/{id}/mcp-tool';

export const getQueryMcpTool = defineEndpoint({
  operationId: 'getQueryMcpTool',
  tag: 'queries',
  summary: 'The tool that a query offers to AI clients',
  method: 'GET',
  path,
  params: IdParams,
  responses: { 200: QueryMcpTool },
  sends: ['ETag'],
  access: access.read({ project: 'readable', or: ['SecurityAdmin'] }),
});

export const SetQueryMcpToolBody = Type.Object({
  isEnabled: Type.Boolean({
    description:
      'False: unpublishes the query. Its name, description and version remain stored for the next publication.',
  }),
  name: Type.Optional(ToolName),
  description: Type.Optional(Description),
  versionId: Type.Optional(
    Type.Integer({
      ...Id,
      description:
        'A version that is or was active. If omitted, the published version remains; without one, the current version is published.',
    }),
  ),
});

export const setQueryMcpTool = defineEndpoint({
  operationId: 'setQueryMcpTool',
  tag: 'queries',
  summary:
    'Publishes a version of a query to AI clients, publishes another version, or unpublishes the query',
  method: 'PUT',
  path,
  params: IdParams,
  body: SetQueryMcpToolBody,
  responses: { 200: QueryMcpTool },
  sends: ['ETag'],
  access: access.administer('SecurityAdmin'),
  refusals: {
    400: 'The name is in use or missing, or the version cannot be published.',
    409: 'The query has no approved definition yet.',
    412: 'The tool changed after the caller read it.',
  },
});

/** Sort names: `name`, `queryName`, `projectName`, `publishedAt`; default `name`. */
export const listQueryMcpTools = defineEndpoint({
  operationId: 'listQueryMcpTools',
  tag: 'mcp',
  summary: 'Queries that are published to AI clients',
  method: 'GET',
  path: '/svc/api/mcp/published-queries',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name of the tool or of the query.' }),
    ),
    projectId: Type.Optional(Id),
  }),
  responses: { 200: pageOf(QueryMcpTool) },
  access: access.administerRead('Auditor', 'SecurityAdmin'),
});
