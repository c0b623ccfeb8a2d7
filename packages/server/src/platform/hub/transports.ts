import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { type Randomness, randomToken } from '../crypto/index.ts';
import { badRequest, canUpgrade, takeUpgrade } from '../http/index.ts';
import type { ConnectionIds } from './connection-ids.ts';
import type { HubLimits } from './limits.ts';
import { LongPoll } from './long-polling.ts';
import type { Members } from './members.ts';
import type { OpenConnection } from './open-connection.ts';
import { streamEvents } from './server-sent-events.ts';
import type { createWebSocketAcceptor } from './web-socket.ts';

/** An authenticated and authorized client request. */
export type HubRequest = {
  readonly caller: Caller;
  /** Connection token. */
  readonly id: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
};

type TransportDeps = {
  readonly random: Randomness;
  readonly limits: HubLimits;
  readonly ids: ConnectionIds;
  readonly members: Members;
  readonly server: ReturnType<typeof createWebSocketAcceptor>;
  readonly open: OpenConnection;
  /** Resolves once events reach this process. */
  readonly ready: () => Promise<void>;
  /** Throws 429 or 503 if no further connection may open. */
  readonly assertRoom: (caller: Caller) => void;
};

const idBytes = 16;
const textType = 'text/plain; charset=utf-8';

/** Creates the function that serves a GET in the transport that the client has chosen. */
export function createTransports(deps: TransportDeps): (from: HubRequest) => Promise<void> {
  const { random, limits, ids, members, server, open } = deps;
  const polls = new Map<string, LongPoll>();

  /** Reserves a new connection. It opens only after events reach this process. */
  const reserve = async (caller: Caller, id: string): Promise<void> => {
    deps.assertRoom(caller);
    ids.markUsed(id);
    await deps.ready();
  };

  const acceptWebSocket = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    if (!canUpgrade(request.raw))
      throw badRequest('no-upgrade', 'WebSockets do not get through here. Use another transport.');
    const id = from.id === undefined ? randomToken(random, idBytes) : ids.claim(caller, from.id);
    await reserve(caller, id);
    reply.hijack();
    const upgrade = takeUpgrade(request.raw);
    if (upgrade) server.accept({ request: request.raw, ...upgrade }, (carrier) => open(caller, id, carrier));
  };

  const acceptStream = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    const id = ids.claim(caller, from.id);
    await reserve(caller, id);
    reply.hijack();
    const headers = reply.getHeaders() as Record<string, string>;
    streamEvents({ request: request.raw, response: reply.raw, headers }, limits, (carrier) =>
      open(caller, id, carrier),
    );
  };

  const beginPolling = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    const id = ids.claim(caller, from.id);
    await reserve(caller, id);
    const { pollMs, clientTimeoutMs } = limits;
    const poll = new LongPoll(request.raw, {
      pollMs,
      goneMs: clientTimeoutMs,
      onGone: () => {
        polls.delete(id);
        connection.gone();
      },
    });
    const connection = open(caller, id, poll.carrier);
    polls.set(id, poll);
    // The response to the first poll only confirms the connection.
    void reply.code(200).type(textType).send('');
  };

  const answerPoll = async (poll: LongPoll, from: HubRequest): Promise<void> => {
    const { caller, request, reply, signal } = from;
    members.get(ids.idOf(caller, from.id))?.noteAlive();
    const answer = await poll.poll(request.raw, signal);
    if (answer === 'Over') void reply.code(204).send();
    else if (answer === 'Nothing') void reply.code(200).type(textType).send('');
    else {
      const type = answer.isBinary ? 'application/octet-stream' : textType;
      void reply.code(200).type(type).send(answer.bytes);
    }
  };

  return async (from) => {
    if (/^websocket$/i.test(from.request.headers.upgrade ?? '')) return acceptWebSocket(from);
    const poll = polls.get(ids.idOf(from.caller, from.id));
    if (poll) return answerPoll(poll, from);
    return /\btext\/event-stream\b/.test(from.request.headers.accept ?? '')
      ? acceptStream(from)
      : beginPolling(from);
  };
}
