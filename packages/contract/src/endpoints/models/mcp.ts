import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, mapOf, nullable, pageOf } from '../../shapes.ts';

const tag = 'mcp';

/** Path of the MCP endpoint. */
export const mcpPath = '/svc/mcp';
/** RFC 9728: the metadata document of a resource has the resource's path after the well-known prefix. */
export const protectedResourcePath = '/.well-known/oauth-protected-resource';

const Message = Type.Unknown({ description: 'A JSON-RPC message of the Model Context Protocol.' });

export const callMcp = defineEndpoint({
  operationId: 'callMcp',
  tag,
  summary: 'MCP over Streamable HTTP, stateless; revisions 2026-07-28, 2025-11-25 and earlier',
  method: 'POST',
  path: mcpPath,
  responses: { 200: Message },
  access: access.mcp(),
  refusals: {
    400: 'The message cannot be read, or its headers contradict its body.',
    404: 'The method does not exist.',
  },
});

const ProtectedResource = Type.Object({
  resource: Type.String(),
  authorization_servers: Type.Optional(Type.Array(Type.String())),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
});
export type ProtectedResource = Static<typeof ProtectedResource>;

const discovery = {
  tag,
  method: 'GET',
  sends: ['Access-Control-Allow-Origin'],
  access: access.anonymous({ isOpenBeforeSetup: true }),
} as const;

export const getProtectedResource = defineEndpoint({
  ...discovery,
  operationId: 'getProtectedResource',
  summary: 'Protected-resource metadata of the MCP endpoint (RFC 9728)',
  path: protectedResourcePath,
  responses: { 200: ProtectedResource },
});

export const getProtectedResourceOfMcp = defineEndpoint({
  ...discovery,
  operationId: 'getProtectedResourceOfMcp',
  summary: 'The same metadata, at the path that RFC 9728 derives from the path of the endpoint',
  path: `${protectedResourcePath}${mcpPath}`,
  responses: { 200: ProtectedResource },
});

const ServerCard = Type.Object({
  $schema: Type.String(),
  name: Type.String(),
  title: Type.String(),
  version: Type.String(),
  description: Type.String(),
  remotes: Type.Array(
    Type.Object({
      type: Type.String(),
      url: Type.String(),
      supportedProtocolVersions: Type.Array(Type.String()),
      headers: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          isRequired: Type.Boolean(),
          isSecret: Type.Boolean(),
        }),
      ),
    }),
  ),
});
export type ServerCard = Static<typeof ServerCard>;

export const getServerCard = defineEndpoint({
  ...discovery,
  operationId: 'getServerCard',
  summary: 'The MCP server card',
  path: '/.well-known/mcp/server-card.json',
  responses: { 200: ServerCard },
});

export const getServerCardOfMcp = defineEndpoint({
  ...discovery,
  operationId: 'getServerCardOfMcp',
  summary: 'The same server card, at the path that the draft of server cards recommends',
  path: `${mcpPath}/server-card`,
  responses: { 200: ServerCard },
});

export const getMcpContext = defineEndpoint({
  operationId: 'getMcpContext',
  tag: 'projects',
  summary: 'Information about a project for AI clients, as one text',
  method: 'GET',
  path: '/svc/api/projects/{id}/mcp-context',
  params: IdParams,
  responses: {
    200: Type.Object({
      context: Type.String(),
      isCut: Type.Boolean({ description: 'The text omits some of the available information.' }),
    }),
  },
  // The first read of a schema queries its source.
  access: access.run({ project: 'readable' }),
});

/** A tool in the playground. */
export const McpTool = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    inputSchema: mapOf(Type.Unknown(), { description: 'JSON Schema of the arguments.' }),
    isEnabled: Type.Boolean({ description: 'False: disabled for this project.' }),
  },
  { $id: 'McpTool' },
);
export type McpTool = Static<typeof McpTool>;

export const listMcpTools = defineEndpoint({
  operationId: 'listMcpTools',
  tag,
  summary: 'Tools that a project offers to AI clients',
  method: 'GET',
  path: '/svc/api/mcp/tools',
  query: Type.Object({ ...listQuery, projectId: Id }),
  responses: { 200: pageOf(McpTool) },
  access: access.read({ project: 'readable' }),
  refusals: { 404: 'The project does not exist, or the caller may not see it.' },
});

/** Result of a call. A tool's refusal is a result, too. */
export const McpToolResult = Type.Object(
  {
    isError: Type.Boolean(),
    text: Type.String({ description: 'Text for the model.' }),
    structuredContent: nullable(mapOf(Type.Unknown())),
    rowCount: nullable(Type.Integer()),
    resultBytes: Type.Integer(),
    executionTimeMs: Type.Integer(),
  },
  { $id: 'McpToolResult' },
);
export type McpToolResult = Static<typeof McpToolResult>;

export const runMcpTool = defineEndpoint({
  operationId: 'runMcpTool',
  tag,
  summary: 'Calls a tool as an AI client would, with the caller’s own rights',
  method: 'POST',
  path: '/svc/api/mcp/tools/run',
  body: Type.Object({
    toolName: Type.String({ minLength: 1, maxLength: 128 }),
    projectId: Id,
    arguments: Type.Optional(
      mapOf(Type.Unknown(), {
        nameLengthMax: 100,
        sizeMax: 50,
        description: 'Arguments of the tool, without `project_id`.',
      }),
    ),
  }),
  responses: { 200: McpToolResult },
  access: access.runByPost({ project: 'readable' }),
  refusals: {
    404: 'The project or the tool does not exist, or the caller may not see it.',
  },
});
