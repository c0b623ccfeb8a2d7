import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { cookieHeader } from '@svc/testkit/client/hub-client.ts';
import { WebSocket } from 'ws';

/** Separator of records in the text encoding. */
export const end = '\u001e';

const handshakes = {
  json: `{"protocol":"json","version":1}${end}`,
  messagepack: `{"protocol":"messagepack","version":1}${end}`,
};

/** WebSocket connection to the hub without a client library, so that a test controls each message. */
export type RawSocket = {
  readonly socket: WebSocket;
  /** Received records or frames, as text. */
  readonly received: readonly string[];
  readonly closed: Promise<number>;
};

/** Opens a socket. `handshake` false: sends no handshake. */
export async function openSocket(
  origin: string,
  who: HttpClient | undefined,
  options: {
    handshake?: 'json' | 'messagepack' | false;
    headers?: Readonly<Record<string, string>>;
    path?: string;
  } = {},
): Promise<RawSocket> {
  const url = origin.replace('http', 'ws') + (options.path ?? '/svc/api/hub');
  const socket = new WebSocket(url, {
    headers: { ...(who && { cookie: cookieHeader(who) }), ...options.headers },
  });
  const received: string[] = [];
  socket.on('message', (data) => void received.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // Later errors appear as a close.
  socket.on('error', () => undefined);
  const { handshake = 'json' } = options;
  if (handshake) {
    const answered = once(socket, 'message');
    socket.send(handshakes[handshake]);
    await answered;
  }
  return { socket, received, closed };
}

/** Returns status and body of a refused upgrade. */
export async function refusedUpgrade(
  origin: string,
  who: HttpClient | undefined,
  options: Parameters<typeof openSocket>[2] = {},
): Promise<{ status: number; body: string }> {
  const url = origin.replace('http', 'ws') + (options.path ?? '/svc/api/hub');
  const socket = new WebSocket(url, {
    headers: { ...(who && { cookie: cookieHeader(who) }), ...options.headers },
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      reject(new Error('The upgrade was not refused.'));
    });
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (part: Buffer) => {
        body += part.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

/** Opens a connection that upgrades, completes the handshake and never reads again. */
export async function openDeafSocket(origin: string, who: HttpClient): Promise<Socket> {
  const { hostname, port, host } = new URL(origin);
  const socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `GET /svc/api/hub HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookieHeader(who)}\r\nconnection: Upgrade\r\n` +
      'upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(socket, 'data');
  const record = Buffer.from(handshakes.json);
  // A text frame with the mask 0, which leaves the bytes unchanged.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | record.length, 0, 0, 0, 0]), record]));
  await once(socket, 'data');
  socket.pause();
  socket.on('error', () => undefined);
  return socket;
}
