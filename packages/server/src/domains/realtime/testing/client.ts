import * as signalr from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { type HubEventName, hubEvents } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import * as signalr8 from 'signalr-8';

/** Official clients of the hub protocol, signed in like a browser. */

export type HeardEvent = { readonly event: HubEventName; readonly payload: unknown };

/** How a client connects. */
export type Connecting = {
  readonly major?: 'current' | 'earlier';
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
  readonly protocol?: 'json' | 'messagepack';
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipNegotiation?: boolean;
  readonly reconnects?: boolean;
  readonly statefulReconnect?: boolean;
};

export type HubClient = {
  readonly connection: signalr.HubConnection;
  readonly heard: readonly HeardEvent[];
  /** What happened to the connection, in order. */
  readonly happened: readonly ('reconnecting' | 'reconnected' | 'closed')[];
  readonly closeError: () => Error | undefined;
};

export const cookieHeader = (client: HttpClient): string =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Makes a client that has not started. */
export function createHubClient(
  origin: string,
  who: HttpClient | undefined,
  how: Connecting = {},
): HubClient {
  const library = (how.major === 'earlier' ? signalr8 : signalr) as typeof signalr;
  const builder = new library.HubConnectionBuilder()
    .withUrl(`${origin}/svc/api/hub`, {
      headers: { ...(who && { cookie: cookieHeader(who) }), ...how.headers },
      transport: library.HttpTransportType[how.transport ?? 'WebSockets'],
      ...(how.skipNegotiation && { skipNegotiation: true }),
    })
    .configureLogging(library.LogLevel.None);
  if (how.protocol === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
  if (how.reconnects) builder.withAutomaticReconnect([0, 50, 50, 50, 50, 50, 50, 50, 50, 50]);
  if (how.statefulReconnect) builder.withStatefulReconnect();
  const connection = builder.build();
  const heard: HeardEvent[] = [];
  for (const event of Object.keys(hubEvents) as HubEventName[])
    connection.on(event, (payload: unknown) => void heard.push({ event, payload }));
  const happened: ('reconnecting' | 'reconnected' | 'closed')[] = [];
  let closeError: Error | undefined;
  connection.onreconnecting(() => void happened.push('reconnecting'));
  connection.onreconnected(() => void happened.push('reconnected'));
  connection.onclose((error) => {
    closeError = error;
    happened.push('closed');
  });
  return { connection, heard, happened, closeError: () => closeError };
}

/** Connects. */
export async function connect(origin: string, who: HttpClient, how: Connecting = {}): Promise<HubClient> {
  const client = createHubClient(origin, who, how);
  await client.connection.start();
  return client;
}
