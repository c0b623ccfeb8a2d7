import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/**
 * Serves the older protocol versions with sessions, which a server needs to query its client during a call. Only for
 * the fixtures: the product has no sessions.
 */
export function sessionServing(make: () => McpServer) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request: Request, parsedBody: unknown): Promise<Response> => {
    const session = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (session) return session.handleRequest(request, { parsedBody });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await make().connect(transport);
    return transport.handleRequest(request, { parsedBody });
  };
}
