import type { Fixture } from '../fixture.ts';

/** Function that creates a query of the fixture's project for one cell. */
type Making = { readonly freshQuery: (fixture: Fixture) => Promise<number> };

let count = 0;

/** Requests that publish a query to AI clients. Each request uses its own query and tool name. */
export const queryToolRequests = ({ freshQuery }: Making) => ({
  'PUT /svc/api/queries/{id}/mcp-tool': async (fixture: Fixture) => ({
    path: `/svc/api/queries/${await freshQuery(fixture)}/mcp-tool`,
    body: { isEnabled: true, name: `matrix_tool_${count++}` },
  }),
});
