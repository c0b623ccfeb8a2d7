import type { ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Ends a started response that cannot be completed, so that no client treats it as complete. A client of HTTP/1.1
 * misses the last chunk. A client of HTTP/1.0, such as some proxies, treats the end of the connection as the end of
 * the body, so the connection is reset. A client of HTTP/2 gets a stream error.
 */
export function cutReply(raw: ServerResponse | Http2ServerResponse): void {
  if (raw instanceof Http2ServerResponse) {
    raw.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const { socket } = raw;
  // Only TCP has resets. Neither TLS nor a Unix socket can be reset through its handle.
  const isTcp =
    socket instanceof Socket && !(socket instanceof TLSSocket) && socket.remoteFamily !== undefined;
  if (isTcp) socket.resetAndDestroy();
  raw.destroy();
}
