import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import type { Dial } from '../port.ts';

/** Answers to the requests of one connection, in order; then it closes. Undefined: the server stays silent. */
export type Script = readonly (Buffer | undefined)[];

/** Formats an HTTP answer. */
export function answer(
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-length': String(bytes.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head.join('')}\r\n`), bytes]);
}

/** Formats an HTTP answer with a body in chunks of `size` bytes. */
export function chunked(body: string, size: number): Buffer {
  const bytes = Buffer.from(body);
  const pieces = [Buffer.from('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n')];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

/** Connects all targets to a server on loopback. */
export const dialTo =
  (server: () => Server): Dial =>
  async (_target, { signal }) => {
    const socket = connect({ host: '127.0.0.1', port: (server().address() as AddressInfo).port, signal });
    await once(socket, 'connect');
    return socket;
  };

export type HostileService = {
  readonly certificate: string;
  readonly dial: Dial;
  /** Requests that end statements and sessions. */
  readonly ended: string[];
  /** Sets the answers of each later connection. */
  readonly script: (...answers: Script) => void;
  readonly scriptBy: (scriptOf: () => Script) => void;
  readonly stop: () => void;
};

/**
 * Starts a TLS server with scripted answers.
 *
 * @param ending  matches a request that ends a statement or a session; its first group is recorded. No script answers it.
 */
export async function startHostileService(host: string, ending: RegExp): Promise<HostileService> {
  const authority = await createTestAuthority();
  const { cert, key } = await authority.issue(host);
  const ended: string[] = [];
  let scriptOf: () => Script = () => [];
  const server = createServer({ cert, key }, (socket) => {
    let answers: Script | undefined;
    let at = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      const end = ending.exec(data.toString('latin1'))?.[1];
      if (end !== undefined) {
        ended.push(end);
        socket.write(answer('{}'));
        return;
      }
      answers ??= scriptOf();
      const next = answers[at++];
      if (next) socket.write(next);
      if (next && at >= answers.length) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    certificate: authority.certificate,
    dial: dialTo(() => server),
    ended,
    script: (...answers) => {
      scriptOf = () => answers;
    },
    scriptBy: (next) => {
      scriptOf = next;
    },
    stop: () => void server.close(),
  };
}
