import * as signalr from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { type HubEventName, hubEvents } from '@svc/contract';
import * as signalr8 from 'signalr-8';
import { vi } from 'vitest';
import type { HttpClient } from './http-client.ts';

/** Official clients of the hub protocol, signed in as a browser. */

export type HeardEvent = {
  readonly event: HubEventName;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** Options of a connection to the hub. */
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
  /** Changes of the connection's state, in order. */
  readonly happened: readonly ('reconnecting' | 'reconnected' | 'closed')[];
  readonly closeError: () => Error | undefined;
};

export const cookieHeader = (client: HttpClient): string =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Creates a client without a connection. */
export function createHubClient(
  origin: string,
  who: HttpClient | undefined,
  how: Connecting = {},
): HubClient {
  const library = (how.major === 'earlier' ? signalr8 : signalr) as typeof signalr;
  const builder = new library.HubConnectionBuilder()
    .withUrl(`${origin}/svc/api/hub`, {
      headers: { ...(who && who.cookies.size > 0 && { cookie: cookieHeader(who) }), ...how.headers },
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
    connection.on(event, (payload: HeardEvent['payload']) => void heard.push({ event, payload }));
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

/** Creates a client and connects it. */
export async function connect(origin: string, who: HttpClient, how: Connecting = {}): Promise<HubClient> {
  const client = createHubClient(origin, who, how);
  await client.connection.start();
  return client;
}

const patience = { timeout: 60_000, interval: 25 };

/** Waits for at least `count` events of a name and returns their payloads. */
export const hears = (client: HubClient, event: HubEventName, count: number) =>
  vi.waitFor(() => {
    const payloads = client.heard.filter((one) => one.event === event).map(({ payload }) => payload);
    if (payloads.length < count)
      throw new Error(`Heard ${payloads.length} of ${count} ${event}: ${JSON.stringify(client.heard)}`);
    return payloads;
  }, patience);

/** Waits for a change of the connection's state. */
export const happens = (client: HubClient, what: HubClient['happened'][number]) =>
  vi.waitFor(() => {
    if (!client.happened.includes(what))
      throw new Error(`The connection was never ${what}, but ${client.happened.join(', ')}.`);
  }, patience);
