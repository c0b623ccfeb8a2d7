import type { Fixture } from './fixture.ts';

/** How queries of the fixture's project are made, each for one cell. */
type Making = { readonly freshQuery: (fixture: Fixture) => Promise<number> };

let count = 0;

/** Requests that publish a query to AI clients: everybody gets one of their own, under a name of its own. */
export const queryToolRequests = ({ freshQuery }: Making) => ({
  'PUT /svc/api/queries/{id}/mcp-tool': async (fixture: Fixture) => ({
    path: `/svc/api/queries/${await freshQuery(fixture)}/mcp-tool`,
    body: { isEnabled: true, name: `matrix_tool_${count++}` },
  }),
});
