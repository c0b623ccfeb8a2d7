import type { Recipe } from '../recipe.ts';

/** Requests to the MCP endpoint and about its settings. */
export const mcpRecipes: Readonly<Record<string, Recipe>> = {
  'POST /svc/mcp': async () => ({
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'matrix', version: '1' },
      },
    },
  }),
  'GET /svc/api/mcp/tools': async ({ project }) => ({ path: `/svc/api/mcp/tools?projectId=${project}` }),
  'POST /svc/api/mcp/tools/run': async ({ project }) => ({
    body: { toolName: 'search_saved_queries', projectId: project },
  }),
  'PUT /svc/api/mcp/settings': async () => ({ body: { instruction: 'Said to clients' } }),
  'GET /svc/api/mcp/projects/{projectId}/settings': async ({ project }) => ({
    path: `/svc/api/mcp/projects/${project}/settings`,
  }),
  'PUT /svc/api/mcp/projects/{projectId}/settings': async ({ project }) => ({
    path: `/svc/api/mcp/projects/${project}/settings`,
    body: { maxRows: 100 },
  }),
};
