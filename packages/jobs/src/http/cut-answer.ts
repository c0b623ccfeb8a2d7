import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Aborts a response that has begun and cannot be completed. An HTTP/1.1 client detects the missing last chunk. An
 * HTTP/1.0 client treats the end of the connection as the end of the body, so a TCP connection is reset.
 */
export function cutAnswer(response: ServerResponse): void {
  const { socket } = response;
  // Node cannot reset TLS connections or Unix sockets through their handle.
  if (socket instanceof Socket && !(socket instanceof TLSSocket) && socket.remoteFamily !== undefined)
    socket.resetAndDestroy();
  response.destroy();
}
