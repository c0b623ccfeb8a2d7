import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';

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
      description: 'Id of the connection. Clients of version 0 also use it as the token.',
    }),
    connectionToken: Type.Optional(
      Type.String({ description: 'Secret that every further request of the connection sends as `id`.' }),
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
  summary: 'Starts a connection to the realtime hub (SignalR hub protocol)',
  method: 'POST',
  path: `${path}/negotiate`,
  query: Type.Object({ negotiateVersion: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })) }),
  responses: { 200: HubNegotiation },
  access: access.hub(),
  refusals: {
    403: 'The user may not use the hub, or a page of another site sent the request.',
    404: 'Realtime is disabled.',
    429: 'This user has too many connections.',
    503: 'The service has too many connections.',
  },
});

export const connectHub = defineEndpoint({
  operationId: 'connectHub',
  tag,
  summary: 'Opens the connection: a WebSocket, a stream of server-sent events, or one poll of long polling',
  method: 'GET',
  path,
  query: connectionQuery,
  responses: {
    200: {
      contentType: 'text/event-stream',
      description:
        'Records of the hub protocol. The status is 101 for a WebSocket and 204 for the last poll.',
    },
  },
  access: access.hub(),
  refusals: {
    400: 'The request has no `id`. Only WebSockets may start without one.',
    404: 'The connection does not exist, has ended, or belongs to another session.',
    409: 'The connection is already in use.',
  },
});

export const sendToHub = defineEndpoint({
  operationId: 'sendToHub',
  tag,
  summary: 'Receives records from a client whose connection only transfers data to the client',
  method: 'POST',
  path,
  query: connectionQuery,
  responses: { 202: null },
  access: access.hub(),
  refusals: { 404: 'The connection does not exist, has ended, or belongs to another session.' },
});

export const closeHub = defineEndpoint({
  operationId: 'closeHub',
  tag,
  summary: 'Closes a connection',
  method: 'DELETE',
  path,
  query: connectionQuery,
  responses: { 202: null },
  access: access.hub(),
  refusals: { 404: 'The connection does not exist, has ended, or belongs to another session.' },
});
