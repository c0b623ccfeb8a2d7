import type { Caller } from '../access/caller.ts';
import type { Clock } from '../clock.ts';
import type { KeyRing, Randomness } from '../crypto/index.ts';
import { notFound, unavailable } from '../http/index.ts';
import type { Logger } from '../log/index.ts';
import { encodeOnce, type HubConnection } from './connection.ts';
import { createConnectionIds } from './connection-ids.ts';
import { defaultHubLimits, type HubLimits } from './limits.ts';
import { Members } from './members.ts';
import { createOpenConnection, type DueTimes } from './open-connection.ts';
import { createConnectionTokens } from './token.ts';
import { createTransports, type HubRequest } from './transports.ts';
import { createWebSocketAcceptor } from './web-socket.ts';

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
  const { random, clock, log, dueTimes, ready } = deps;
  const limits: HubLimits = { ...defaultHubLimits, ...deps.limits };
  const tokens = createConnectionTokens({ ...deps, lifetimeMs: limits.tokenLifetimeMs });
  const members = new Members(limits);
  const ids = createConnectionIds(tokens, limits.tokenLifetimeMs);
  let isClosing = false;

  const assertRoom = (caller: Caller): void => {
    if (isClosing) throw unavailable('The service is stopping.');
    members.assertRoom(caller);
  };
  const connect = createTransports({
    random,
    limits,
    ids,
    members,
    ready,
    assertRoom,
    server: createWebSocketAcceptor(limits),
    open: createOpenConnection({ clock, log, dueTimes, limits, ids, members }),
  });

  const sweep = setInterval(() => {
    const nowMs = performance.now();
    const now = clock.now();
    for (const connection of members.all()) checkConnection(connection, nowMs, now);
    ids.forgetExpired((id) => members.get(id) !== undefined);
  }, limits.sweepIntervalMs).unref();

  return {
    negotiate: (caller, version) => {
      assertRoom(caller);
      const { connectionId, token } = tokens.issue(caller);
      return version < 1
        ? { negotiateVersion: 0, connectionId: token, availableTransports }
        : { negotiateVersion: 1, connectionId, connectionToken: token, availableTransports };
    },
    connect,
    receive: (caller, id, bytes) => {
      const connection = members.get(ids.idOf(caller, id));
      if (!connection) throw notFound();
      connection.receive(bytes);
    },
    remove: (caller, id) => {
      const connection = members.get(ids.idOf(caller, id));
      if (!connection) throw notFound();
      connection.leave();
    },
    send: async (address, event, mayHear) => {
      const connections = members.ofUser(address);
      if (connections.length === 0) return;
      const message = encodeOnce({ kind: 'Event', ...event });
      for (const connection of connections)
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
function checkConnection(connection: HubConnection, nowMs: number, now: Date): void {
  if (!connection.isServerOpen()) connection.close({ cause: 'Closing', allowReconnect: true });
  else if (connection.expiresAt && connection.expiresAt <= now)
    connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
  else if (connection.dueAt && connection.dueAt <= now)
    connection.close({ cause: 'SessionDue', allowReconnect: true });
  else connection.checkTime(nowMs);
}
