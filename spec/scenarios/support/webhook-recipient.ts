import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';

export const recipientsPath = '/svc/api/recipients';

export type Recipient = {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly destination: string;
  readonly pendingChange: { id: number; requestedByUserName: string; isOwn: boolean } | null;
};

export const readRecipient = async (client: HttpClient, id: number): Promise<Recipient> =>
  (await client.get(`${recipientsPath}/${id}`)).read<Recipient>();

/** Saves a webhook recipient with the given changes. */
export const saveRecipient = async (
  client: HttpClient,
  id: number,
  change: Readonly<Record<string, unknown>>,
) => {
  const { name, destination } = await readRecipient(client, id);
  return client.put(`${recipientsPath}/${id}`, { notificationType: 'Webhook', name, destination, ...change });
};

/** Returns a webhook recipient whose destination is a path of the fixture's sink. */
export const hook = (fixture: DeliveryFixture, path: string) => ({
  notificationType: 'Webhook' as const,
  destination: fixture.sink.url + path,
});
