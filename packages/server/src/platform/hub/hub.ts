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
import { createWebSocketDoor } from './web-socket.ts';

/** A request of a client, authenticated and judged like every other. */
export type HubRequest = {
  readonly caller: Caller;
  /** Connection token. */
  readonly id: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
};

/** When a caller must authenticate anew, and when nothing helps any more; undefined: its session is over. */
export type DueTimes = { readonly checkAt: Date; readonly expiresAt?: Date } | undefined;

/** A server of the SignalR hub protocol without methods: it only sends, to the connections of a user. */
export type Hub = {
  /** The answer to a negotiation. Throws 429 or 503 when there is no room. */
  readonly negotiate: (caller: Caller, version: number) => Negotiation;
  /** A GET: opens a WebSocket or an event stream, or answers a poll. Sends the answer by itself. */
  readonly connect: (request: HubRequest) => Promise<void>;
  /** Bytes that a client posted for a connection that carries only the other direction. */
  readonly receive: (caller: Caller, id: string | undefined, bytes: Buffer) => void;
  /** A client that leaves. */
  readonly remove: (caller: Caller, id: string | undefined) => void;
  /** Sends an event to a user's connections, of those callers that `mayHear` admits. */
  readonly send: (
    address: string,
    event: { target: string; argument: unknown },
    mayHear?: (caller: Caller) => Promise<boolean>,
  ) => Promise<void>;
  /** Ends the connections of a session that is over. */
  readonly endSession: (sessionId: number) => void;
  /** Tells every client to come back, since it may have missed something. */
  readonly reconnectAll: () => void;
  /** Lets go of every connection; its clients come back, to another process or a later one. */
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
/** A check that is due at once, or by a clock that is ahead of the database's, must not make clients come back at once for ever. */
const shortestLifeMs = 15_000;
const idBytes = 16;

export type HubDeps = {
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dueTimes: (caller: Caller) => Promise<DueTimes>;
  /** Resolves once events reach this process; a connection opens after it. */
  readonly ready: () => Promise<void>;
  readonly limits?: Partial<HubLimits> | undefined;
};

/** Makes the hub. It serves no path by itself: routes hand it what has passed the gates. */
export function createHub(deps: HubDeps): Hub {
  const { random, clock, log } = deps;
  const limits: HubLimits = { ...defaultHubLimits, ...deps.limits };
  const tokens = createConnectionTokens({ ...deps, lifetimeMs: limits.tokenLifetimeMs });
  const door = createWebSocketDoor(limits);
  const members = new Members(limits);
  const polls = new Map<string, LongPoll>();
  /** Ids of connections that have begun, with the time until which their tokens would begin another. */
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
    // After it was added: a session that ends from now on ends the connection, one that ended before is found here.
    setDueTimes(connection).catch((error: unknown) => {
      log.warn({ err: error }, 'the times of a session could not be read');
      connection.close({ cause: 'SessionDue', allowReconnect: true });
    });
    return connection;
  };

  const setDueTimes = async (connection: HubConnection): Promise<void> => {
    const due = await deps.dueTimes(connection.caller);
    if (!due) return connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
    const soonest = clock.now().getTime() + shortestLifeMs;
    connection.dueAt = new Date(Math.max(due.checkAt.getTime(), soonest));
    connection.expiresAt = due.expiresAt;
  };

  /** The id of the connection that a token is for. Whatever is wrong with it, the answer is the same. */
  const idOf = (caller: Caller, token: string | undefined): { connectionId: string; isInTime: boolean } => {
    if (token === undefined)
      throw badRequest('id-required', 'Negotiate first, and send the connection token as "id".');
    const sound = tokens.verify(token, caller);
    if (!sound) throw notFound();
    return sound;
  };
  /** The id for a connection that begins with this token; each begins one. */
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
    if (upgrade) door.accept({ request: request.raw, ...upgrade }, (carrier) => open(caller, id, carrier));
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
    // The first poll only says that the connection is there.
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

/** Closes a connection whose time has come. */
function checkOne(connection: HubConnection, nowMs: number, now: Date): void {
  if (!connection.isServerOpen()) connection.close({ cause: 'Closing', allowReconnect: true });
  else if (connection.expiresAt && connection.expiresAt <= now)
    connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
  else if (connection.dueAt && connection.dueAt <= now)
    connection.close({ cause: 'SessionDue', allowReconnect: true });
  else connection.checkTime(nowMs);
}
