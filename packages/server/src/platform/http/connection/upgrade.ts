import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../refusals/refusal.ts';
import { rawAnswer } from './raw-answer.ts';

type Upgrade = { readonly socket: Duplex; readonly head: Buffer; readonly response: ServerResponse };

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Serves a request from a server's `upgrade` event like any other: the same gates and routes. A route that upgrades
 * takes the connection with `takeUpgrade`. Every other route answers over HTTP, and the connection is then closed.
 */
export function serveUpgrade(
  app: FastifyInstance,
  {
    request,
    socket,
    head,
    basePath,
  }: { request: IncomingMessage; socket: Duplex; head: Buffer; basePath: string },
): void {
  // Node has detached its listeners from the socket. An unhandled error would end the process.
  socket.on('error', () => socket.destroy());
  if (isWithLostBody(request)) {
    socket.end(rawAnswer(lostBody, basePath));
    return;
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.on('finish', () => socket.end());
  upgrades.set(request, { socket, head, response });
  app.routing(request, response);
}

/**
 * Returns true for a request whose body is lost. Some programs offer HTTP/2 with every request: Node treats that as
 * an upgrade and does not read the body. A host whose server has a `shouldUpgradeCallback` only for WebSockets
 * never sends such requests here.
 */
const isWithLostBody = ({ headers }: IncomingMessage): boolean =>
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) &&
  !/^websocket$/i.test(headers.upgrade ?? '');

const lostBody = badRequest(
  'no-upgrade',
  'This service does not change the protocol here. Send the request again without the Upgrade header.',
);

/** Returns true if the request came from the server's `upgrade` event and its connection has not been taken. */
export const canUpgrade = (request: IncomingMessage): boolean => upgrades.has(request);

/** Returns the connection of an upgrade request, for use by the route. Returns it only once. */
export function takeUpgrade(request: IncomingMessage): { socket: Duplex; head: Buffer } | undefined {
  const upgrade = upgrades.get(request);
  if (!upgrade) return undefined;
  upgrades.delete(request);
  upgrade.response.detachSocket(upgrade.socket as Socket);
  return { socket: upgrade.socket, head: upgrade.head };
}
