import { McpServer } from '@modelcontextprotocol/server';
import { addAskingTools } from './fixtures/asking-tools.ts';
import { addInputTools } from './fixtures/input-tools.ts';
import { addPlainTools } from './fixtures/plain-tools.ts';
import { addPrompts } from './fixtures/prompts.ts';
import { codec } from './fixtures/request-state.ts';
import { addResources } from './fixtures/resources.ts';

/** Tools, resources and prompts that the MCP conformance suite expects of a server. They use no product code. */

/** Creates the server for one request, or for one session of the older protocol versions. */
export function conformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  addPlainTools(server);
  addAskingTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], hasMore: false },
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}
