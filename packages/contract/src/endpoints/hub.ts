import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';

const tag = 'hub';
const path = '/svc/api/hub';

/** Transports of a hub connection, best first. */
export const hubTransports = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
export type HubTransport = (typeof hubTransports)[number];

/** Answer of the negotiation, as the SignalR hub protocol defines it. */
export const HubNegotiation = Type.Object(
  {
    negotiateVersion: Type.Integer(),
    connectionId: Type.String({
      description: 'Names the connection. For clients of version 0 it is the token as well.',
    }),
    connectionToken: Type.Optional(
      Type.String({ description: 'Sent as `id` with every further request of the connection. A secret.' }),
    ),
    availableTransports: Type.Array(
      Type.Object({ transport: Type.String(), transferFormats: Type.Array(Type.String()) }),
    ),
  },
  { $id: 'HubNegotiation' },
);
export type HubNegotiation = Static<typeof HubNegotiation>;

const id = Type.Optional(
  Type.String({ maxLength: 400, description: 'The connection token of the negotiation.' }),
);
/** Clients add their own members, such as a timestamp that defeats caches. */
const connectionQuery = Type.Object({ id });

export const negotiateHub = defineEndpoint({
  operationId: 'negotiateHub',
  tag,
  summary: 'Begins a connection to the realtime hub (SignalR hub protocol)',
  method: 'POST',
  path: `${path}/negotiate`,
  query: Type.Object({ negotiateVersion: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })) }),
  responses: { 200: HubNegotiation },
  access: access.hub(),
  refusals: {
    403: 'Not for this user, or a page of another site sent the request.',
    404: 'Realtime is switched off.',
    429: 'This user has too many connections.',
    503: 'The service has too many connections.',
  },
});

export const connectHub = defineEndpoint({
  operationId: 'connectHub',
  tag,
  summary: 'The connection itself: a WebSocket, a stream of server-sent events, or one poll of long polling',
  method: 'GET',
  path,
  query: connectionQuery,
  responses: {
    200: {
      contentType: 'text/event-stream',
      description: 'Records of the hub protocol. 101 for a WebSocket, 204 for the last poll.',
    },
  },
  access: access.hub(),
  refusals: {
    400: 'The request has no `id`; only WebSockets may begin without one.',
    404: 'No such connection, it is over, or it is of another session.',
    409: 'The connection is in use already.',
  },
});

export const sendToHub = defineEndpoint({
  operationId: 'sendToHub',
  tag,
  summary: 'Records from a client whose connection carries only the other direction',
  method: 'POST',
  path,
  query: connectionQuery,
  responses: { 202: null },
  access: access.hub(),
  refusals: { 404: 'No such connection, it is over, or it is of another session.' },
});

export const closeHub = defineEndpoint({
  operationId: 'closeHub',
  tag,
  summary: 'Ends a connection',
  method: 'DELETE',
  path,
  query: connectionQuery,
  responses: { 202: null },
  access: access.hub(),
  refusals: { 404: 'No such connection, it is over, or it is of another session.' },
});
