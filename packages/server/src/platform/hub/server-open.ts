import type { IncomingMessage } from 'node:http';

/**
 * Whether the server that a request came through still takes connections. A host that stops closes its server first
 * and then waits for the connections that are open: without this it would wait for those of the hub in vain.
 */
export function isServerOpen(request: IncomingMessage): boolean {
  const { server } = request.socket as { server?: { listening?: boolean } };
  return server?.listening !== false;
}
