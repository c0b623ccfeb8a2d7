import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Ends an answer that has begun and cannot be completed. A client of HTTP/1.1 misses the last chunk. A client of HTTP/1.0
 * takes the end of the connection for the end of the body, so a TCP connection is reset.
 */
export function cutAnswer(response: ServerResponse): void {
  const { socket } = response;
  // Neither TLS nor a Unix socket can be reset through its handle.
  if (socket instanceof Socket && !(socket instanceof TLSSocket) && socket.remoteFamily !== undefined)
    socket.resetAndDestroy();
  response.destroy();
}
