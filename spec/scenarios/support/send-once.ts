import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import {
  addRecipient,
  addSubscription,
  type RecipientInput,
  type RunDetail,
  runNow,
} from '@svc/testkit/runs/subscribe.ts';
import type { Received } from '@svc/testkit/runs/webhook-sink.ts';

/** Result of one Test now with one recipient. */
export type SentOnce = {
  readonly run: RunDetail;
  /** Requests that the recipient received from this run. */
  readonly received: readonly Received[];
  /** Returns all requests that the recipient has received so far. */
  readonly requests: () => readonly Received[];
  readonly subscriptionId: number;
  readonly recipientId: number;
  /** The recipient's path at the sink. */
  readonly path: string;
};

let count = 0;

/** Subscribes one new recipient at the sink to a query, and runs the subscription to its end. */
export async function sendOnce(
  fixture: DeliveryFixture,
  queryId: number,
  subscription: Readonly<Record<string, unknown>> = {},
  recipient: Partial<RecipientInput> = {},
): Promise<SentOnce> {
  const path = `/recipient-${count++}`;
  const recipientId = await addRecipient(fixture.root, {
    notificationType: 'Webhook',
    destination: fixture.sink.url + path,
    ...recipient,
  });
  const subscriptionId = await addSubscription(fixture.root, {
    queryId,
    recipientIds: [recipientId],
    ...subscription,
  });
  const requests = () => fixture.sink.received.filter((request) => request.path === path);
  const run = await runNow(fixture.root, subscriptionId);
  return { run, received: requests(), requests, subscriptionId, recipientId, path };
}

/** Parses the body of a request. Returns null without a request. */
export const jsonOf = (request: Received | undefined): Record<string, unknown> =>
  JSON.parse(request?.text ?? 'null');
