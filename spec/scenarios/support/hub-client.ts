import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { vi } from 'vitest';

export const hubEventNames = ['JobStatusChanged', 'NotificationCreated', 'ApprovalUpdated'] as const;
export type HubEventName = (typeof hubEventNames)[number];
export type HeardEvent = {
  readonly event: HubEventName;
  readonly payload: Readonly<Record<string, unknown>>;
};
export type Transport = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** The official client on the hub, with the session of a browser. */
export type HubClient = {
  readonly connection: HubConnection;
  readonly heard: readonly HeardEvent[];
  /** What happened to the connection, in order. */
  readonly happened: readonly ('reconnecting' | 'reconnected' | 'closed')[];
};

/** Connects; rejects with the status when the hub refuses. */
export async function connectToHub(
  service: RunningService,
  browser: HttpClient,
  options: { transport?: Transport; headers?: Readonly<Record<string, string>> } = {},
): Promise<HubClient> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const connection = new HubConnectionBuilder()
    .withUrl(`${service.origin}/svc/api/hub`, {
      headers: { ...(cookie !== '' && { cookie }), ...options.headers },
      transport: HttpTransportType[options.transport ?? 'WebSockets'],
    })
    .withAutomaticReconnect([0, 100, 100, 100, 100, 100])
    .configureLogging(LogLevel.None)
    .build();
  const heard: HeardEvent[] = [];
  for (const event of hubEventNames)
    connection.on(event, (payload: HeardEvent['payload']) => void heard.push({ event, payload }));
  const happened: ('reconnecting' | 'reconnected' | 'closed')[] = [];
  connection.onreconnecting(() => void happened.push('reconnecting'));
  connection.onreconnected(() => void happened.push('reconnected'));
  connection.onclose(() => void happened.push('closed'));
  await connection.start();
  return { connection, heard, happened };
}

const patience = { timeout: 60_000, interval: 25 };

/** Waits until so many events of a name were heard, and gives their payloads. */
export const hears = (client: HubClient, event: HubEventName, count: number) =>
  vi.waitFor(() => {
    const payloads = client.heard.filter((one) => one.event === event).map(({ payload }) => payload);
    if (payloads.length < count)
      throw new Error(`Heard ${payloads.length} of ${count} ${event}: ${JSON.stringify(client.heard)}`);
    return payloads;
  }, patience);

/** Waits until something happened to the connection. */
export const happens = (client: HubClient, what: HubClient['happened'][number]) =>
  vi.waitFor(() => {
    if (!client.happened.includes(what))
      throw new Error(`The connection was never ${what}, but ${client.happened.join(', ')}.`);
  }, patience);
