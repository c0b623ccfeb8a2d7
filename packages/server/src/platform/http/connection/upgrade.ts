import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../refusals/refusal.ts';
import { rawAnswer } from './raw-answer.ts';

type Upgrade = { readonly socket: Duplex; readonly head: Buffer; readonly response: ServerResponse };

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Serves a request that a server's `upgrade` event brought like any other: the same gates and routes. A route that
 * means to upgrade takes the connection by `takeUpgrade`; every other answers over HTTP, after which the connection
 * is closed.
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
  // Node has let go of the socket: an error that nobody hears would end the process.
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
 * Some programs offer HTTP/2 with every request. Node takes that for an upgrade, and a body is not read then; a host
 * whose server has a `shouldUpgradeCallback` for WebSockets alone never sends such requests here.
 */
const isWithLostBody = ({ headers }: IncomingMessage): boolean =>
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) &&
  !/^websocket$/i.test(headers.upgrade ?? '');

const lostBody = badRequest(
  'no-upgrade',
  'This service does not change the protocol here. Send the request again without the Upgrade header.',
);

/** Whether the request came by the server's `upgrade` event and its connection has not been taken. */
export const canUpgrade = (request: IncomingMessage): boolean => upgrades.has(request);

/** The connection of a request that asks for an upgrade, for the route to speak on; once. */
export function takeUpgrade(request: IncomingMessage): { socket: Duplex; head: Buffer } | undefined {
  const upgrade = upgrades.get(request);
  if (!upgrade) return undefined;
  upgrades.delete(request);
  upgrade.response.detachSocket(upgrade.socket as Socket);
  return { socket: upgrade.socket, head: upgrade.head };
}
