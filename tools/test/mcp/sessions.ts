import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/**
 * Serves the older era with sessions: servers that ask their client something in the middle of a call need one. Only
 * for the fixtures; the product keeps none.
 */
export function sessionServing(make: () => McpServer) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request: Request, parsedBody: unknown): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request, { parsedBody });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await make().connect(transport);
    return transport.handleRequest(request, { parsedBody });
  };
}
