import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { Clock } from '../clock.ts';
import { type KeyRing, type Randomness, randomToken } from '../crypto/index.ts';
import { badRequest, canUpgrade, conflict, notFound, takeUpgrade, unavailable } from '../http/index.ts';
import type { Logger } from '../log/index.ts';
import { type Carrier, type EndCause, encodeOnce, HubConnection } from './connection.ts';
import { defaultHubLimits, type HubLimits } from './limits.ts';
import { LongPoll } from './long-polling.ts';
import { Members } from './members.ts';
import { streamEvents } from './server-sent-events.ts';
import { createConnectionTokens } from './token.ts';
import { createWebSocketAcceptor } from './web-socket.ts';

/** An authenticated and authorized client request. */
export type HubRequest = {
  readonly caller: Caller;
  /** Connection token. */
  readonly id: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
};

/** Times at which a caller must authenticate again, and at which the session ends. Undefined: the session has ended. */
export type DueTimes = { readonly checkAt: Date; readonly expiresAt?: Date } | undefined;

/** A server of the SignalR hub protocol without methods: it only sends, to the connections of a user. */
export type Hub = {
  /** Returns the response to a negotiation. Throws 429 or 503 if a connection limit is reached. */
  readonly negotiate: (caller: Caller, version: number) => Negotiation;
  /** Handles a GET: opens a WebSocket or an event stream, or answers a poll. Sends the response itself. */
  readonly connect: (request: HubRequest) => Promise<void>;
  /** Receives posted bytes for a connection whose transport is server-to-client only. */
  readonly receive: (caller: Caller, id: string | undefined, bytes: Buffer) => void;
  /** Closes the connection of a leaving client. */
  readonly remove: (caller: Caller, id: string | undefined) => void;
  /** Sends an event to a user's connections whose caller `mayHear` admits. */
  readonly send: (
    address: string,
    event: { target: string; argument: unknown },
    mayHear?: (caller: Caller) => Promise<boolean>,
  ) => Promise<void>;
  /** Closes the connections of an ended session. */
  readonly endSession: (sessionId: number) => void;
  /** Requests every client to reconnect, because it may have missed events. */
  readonly reconnectAll: () => void;
  /** Closes every connection. The clients reconnect, to another process or a later one. */
  readonly close: () => Promise<void>;
};

export type Negotiation = {
  readonly negotiateVersion: number;
  readonly connectionId: string;
  readonly connectionToken?: string;
  readonly availableTransports: { transport: string; transferFormats: string[] }[];
};

const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
];
/**
 * Minimum time before a recheck. It prevents an endless reconnect loop for a check that is immediately due, or that
 * a fast clock makes due.
 */
const shortestLifeMs = 15_000;
const idBytes = 16;

export type HubDeps = {
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dueTimes: (caller: Caller) => Promise<DueTimes>;
  /** Resolves once events reach this process. A connection opens only then. */
  readonly ready: () => Promise<void>;
  readonly limits?: Partial<HubLimits> | undefined;
};

/** Creates the hub. It serves no path: routes pass on requests that passed the gates. */
export function createHub(deps: HubDeps): Hub {
  const { random, clock, log } = deps;
  const limits: HubLimits = { ...defaultHubLimits, ...deps.limits };
  const tokens = createConnectionTokens({ ...deps, lifetimeMs: limits.tokenLifetimeMs });
  const server = createWebSocketAcceptor(limits);
  const members = new Members(limits);
  const polls = new Map<string, LongPoll>();
  /** Ids of opened connections, each with the expiry of its token. A token cannot open a second connection. */
  const begun = new Map<string, number>();
  let isClosing = false;

  const onOver = (connection: HubConnection, cause: EndCause | undefined): void => {
    members.remove(connection);
    const { userId } = connection.caller;
    const level = cause === 'SlowReader' ? 'info' : 'debug';
    log[level]({ connectionId: connection.id, userId, cause: cause ?? 'Client' }, 'a hub connection ended');
  };
  const onReleased = (connection: HubConnection): void => members.release(connection);

  const open = (caller: Caller, id: string, carrier: Carrier): HubConnection => {
    const connection = new HubConnection({ id, caller, limits, carrier, onOver, onReleased });
    members.add(connection);
    begun.set(id, Date.now() + limits.tokenLifetimeMs);
    // Runs after the registration: a session that ends later ends the connection, and an earlier end is detected
    // here.
    setDueTimes(connection).catch((error: unknown) => {
      log.warn({ err: error }, 'the times of a session could not be read');
      connection.close({ cause: 'SessionDue', allowReconnect: true });
    });
    return connection;
  };

  const setDueTimes = async (connection: HubConnection): Promise<void> => {
    const soonest = clock.now().getTime() + shortestLifeMs;
    const due = await deps.dueTimes(connection.caller);
    if (!due) return connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
    connection.dueAt = new Date(Math.max(due.checkAt.getTime(), soonest));
    connection.expiresAt = due.expiresAt;
  };

  /** Returns the connection id of a token. Every invalid token gets the same response. */
  const idOf = (caller: Caller, token: string | undefined): { connectionId: string; isInTime: boolean } => {
    if (token === undefined)
      throw badRequest('id-required', 'Negotiate first, and send the connection token as "id".');
    const sound = tokens.verify(token, caller);
    if (!sound) throw notFound();
    return sound;
  };
  /** Returns the id for a new connection. Each token opens only one. */
  const claim = (caller: Caller, token: string | undefined): string => {
    const { connectionId, isInTime } = idOf(caller, token);
    if (begun.has(connectionId))
      throw conflict('connection-in-use', 'This connection has begun already. Negotiate another.');
    if (!isInTime) throw notFound();
    return connectionId;
  };
  const assertRoom = (caller: Caller): void => {
    if (isClosing) throw unavailable('The service is stopping.');
    members.assertRoom(caller);
  };

  const acceptWebSocket = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    if (!canUpgrade(request.raw))
      throw badRequest('no-upgrade', 'WebSockets do not get through here. Use another transport.');
    const id = from.id === undefined ? randomToken(random, idBytes) : claim(caller, from.id);
    assertRoom(caller);
    begun.set(id, Date.now() + limits.tokenLifetimeMs);
    await deps.ready();
    reply.hijack();
    const upgrade = takeUpgrade(request.raw);
    if (upgrade) server.accept({ request: request.raw, ...upgrade }, (carrier) => open(caller, id, carrier));
  };

  const acceptStream = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    const id = claim(caller, from.id);
    assertRoom(caller);
    begun.set(id, Date.now() + limits.tokenLifetimeMs);
    await deps.ready();
    reply.hijack();
    const headers = reply.getHeaders() as Record<string, string>;
    streamEvents({ request: request.raw, response: reply.raw, headers }, limits, (carrier) =>
      open(caller, id, carrier),
    );
  };

  const beginPolling = async (from: HubRequest): Promise<void> => {
    const { caller, request, reply } = from;
    const id = claim(caller, from.id);
    assertRoom(caller);
    begun.set(id, Date.now() + limits.tokenLifetimeMs);
    await deps.ready();
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
    void reply.code(200).type('text/plain; charset=utf-8').send('');
  };

  const answerPoll = async (poll: LongPoll, from: HubRequest): Promise<void> => {
    const { caller, request, reply, signal } = from;
    members.get(idOf(caller, from.id).connectionId)?.noteAlive();
    const answer = await poll.poll(request.raw, signal);
    if (answer === 'Over') void reply.code(204).send();
    else if (answer === 'Nothing') void reply.code(200).type('text/plain; charset=utf-8').send('');
    else {
      const type = answer.isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
      void reply.code(200).type(type).send(answer.bytes);
    }
  };

  const sweep = setInterval(() => {
    const nowMs = performance.now();
    const now = clock.now();
    for (const connection of members.all()) checkOne(connection, nowMs, now);
    const time = Date.now();
    for (const [id, until] of begun) if (until < time && !members.get(id)) begun.delete(id);
  }, limits.sweepIntervalMs).unref();

  return {
    negotiate: (caller, version) => {
      assertRoom(caller);
      const { connectionId, token } = tokens.issue(caller);
      return version < 1
        ? { negotiateVersion: 0, connectionId: token, availableTransports }
        : { negotiateVersion: 1, connectionId, connectionToken: token, availableTransports };
    },
    connect: async (from) => {
      if (/^websocket$/i.test(from.request.headers.upgrade ?? '')) return acceptWebSocket(from);
      const poll = polls.get(idOf(from.caller, from.id).connectionId);
      if (poll) return answerPoll(poll, from);
      return /\btext\/event-stream\b/.test(from.request.headers.accept ?? '')
        ? acceptStream(from)
        : beginPolling(from);
    },
    receive: (caller, id, bytes) => {
      const connection = members.get(idOf(caller, id).connectionId);
      if (!connection) throw notFound();
      connection.receive(bytes);
    },
    remove: (caller, id) => {
      const { connectionId } = idOf(caller, id);
      const connection = members.get(connectionId);
      if (!connection) throw notFound();
      connection.leave();
    },
    send: async (address, event, mayHear) => {
      const heard = members.ofUser(address);
      if (heard.length === 0) return;
      const message = encodeOnce({ kind: 'Event', ...event });
      for (const connection of heard)
        if (!mayHear || (await mayHear(connection.caller))) connection.tell(message);
    },
    endSession: (sessionId) => {
      for (const connection of members.all())
        if (connection.caller.sessionId === sessionId)
          connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
    },
    reconnectAll: () => {
      for (const connection of members.all()) connection.close({ cause: 'Closing', allowReconnect: true });
    },
    close: async () => {
      isClosing = true;
      clearInterval(sweep);
      for (const connection of members.all()) connection.close({ cause: 'Closing', allowReconnect: true });
      await members.emptied(limits.closeGraceMs);
    },
  };
}

/** Closes a connection that is due, and checks its liveness otherwise. */
function checkOne(connection: HubConnection, nowMs: number, now: Date): void {
  if (!connection.isServerOpen()) connection.close({ cause: 'Closing', allowReconnect: true });
  else if (connection.expiresAt && connection.expiresAt <= now)
    connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
  else if (connection.dueAt && connection.dueAt <= now)
    connection.close({ cause: 'SessionDue', allowReconnect: true });
  else connection.checkTime(nowMs);
}
