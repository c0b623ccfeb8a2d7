import type { IncomingMessage } from 'node:http';

/**
 * Returns true if the server of a request still accepts connections. A stopping host closes its server first and
 * then waits for the open connections. Without this check, it would wait for the hub's connections indefinitely.
 */
export function isServerOpen(request: IncomingMessage): boolean {
  const { server } = request.socket as { server?: { listening?: boolean } };
  return server?.listening !== false;
}
