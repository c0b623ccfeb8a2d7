import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Carrier, HubConnection } from './connection.ts';
import type { HubLimits } from './limits.ts';
import { isServerOpen } from './server-open.ts';

const normalClosure = 1_000;

/** Accepts WebSockets of upgraded requests. */
export type WebSocketAcceptor = {
  readonly accept: (
    upgrade: { request: IncomingMessage; socket: Duplex; head: Buffer },
    open: (carrier: Carrier) => HubConnection,
  ) => void;
};

/**
 * Creates the WebSocket server. Frames are not compressed: compression costs memory per connection, and events are
 * short.
 */
export function createWebSocketAcceptor(limits: HubLimits): WebSocketAcceptor {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytesMax,
  });
  return {
    accept: ({ request, socket, head }, open) =>
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = open(carrierOf(webSocket, request, limits));
        webSocket.on('message', (data) => connection.receive(bytesOf(data)));
        // The library reports an invalid frame to the client and closes the socket.
        webSocket.on('error', () => undefined);
        webSocket.on('close', () => connection.gone());
      }),
  };
}

function carrierOf(webSocket: WebSocket, request: IncomingMessage, limits: HubLimits): Carrier {
  return {
    send: (bytes, isBinary) => webSocket.send(bytes, { binary: isBinary }, () => undefined),
    bufferedBytes: () => webSocket.bufferedAmount,
    end: () => {
      webSocket.close(normalClosure);
      setTimeout(() => webSocket.terminate(), limits.closeGraceMs).unref();
    },
    cut: () => webSocket.terminate(),
    isServerOpen: () => isServerOpen(request),
  };
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
