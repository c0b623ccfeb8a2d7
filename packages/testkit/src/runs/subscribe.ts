import type { Answer, HttpClient } from '../client/http-client.ts';
import { make } from '../client/make.ts';
import { until } from './until.ts';

/** Body of a new recipient. */
export type RecipientInput = {
  readonly notificationType: 'Email' | 'ChatBlocks' | 'ChatCards' | 'IssueTracker' | 'Webhook';
  readonly name: string;
  readonly destination: string;
  readonly description?: string;
  readonly customHeaders?: Readonly<Record<string, unknown>>;
  readonly bodyTemplate?: string;
};

let count = 0;

/** Saves a recipient and returns its id. */
export const addRecipient = async (
  client: HttpClient,
  recipient: Omit<RecipientInput, 'name'> & { name?: string },
): Promise<number> =>
  (await make(client, '/svc/api/recipients', { name: `Recipient ${count++}`, ...recipient })).id;

/** Fires once a year, so that a subscription runs only when the test triggers it. */
export const yearly = '0 0 1 1 *';

/** Subscribes recipients to a query, on a schedule that does not fire during a test. */
export const addSubscription = async (
  client: HttpClient,
  subscription: { queryId: number; recipientIds: readonly number[] } & Readonly<Record<string, unknown>>,
): Promise<number> =>
  (
    await make(client, '/svc/api/subscriptions', {
      cronExpression: yearly,
      notificationTrigger: 'Always',
      ...subscription,
    })
  ).id;

/** Run, as its detail route returns it. */
export type RunDetail = {
  readonly id: number;
  readonly status: string;
  readonly comment: string | null;
  readonly resultCount: number | null;
  readonly finishedAt: string | null;
  readonly executionTimeMs: number | null;
  readonly deliveries: readonly { recipientId: number; state: string; reason: string | null }[];
  readonly results: { columns: string[]; rows: unknown[][] } | null;
};

/** Waits for the end of a run and returns it. `Run` is the unchecked type of the result. */
export async function finishedRun<Run = RunDetail>(client: HttpClient, id: number): Promise<Run> {
  let body: Answer['body'];
  return until(
    () => `the end of run ${id}: ${JSON.stringify(body)}`,
    async () => {
      ({ body } = await client.get(`/svc/api/notifications/${id}`));
      return body.finishedAt ? body : undefined;
    },
  );
}

/** Starts a test run of a subscription and waits for the end. */
export async function runNow<Run = RunDetail>(client: HttpClient, subscriptionId: number): Promise<Run> {
  const answer = await client.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
  if (answer.status !== 202) throw new Error(`Test now answered ${answer.status} ${answer.text}`);
  return finishedRun<Run>(client, answer.body.id);
}

/** Valid recipients of kinds that need only a destination. */
export const recipientOf = {
  Email: { notificationType: 'Email', destination: 'anna@example.org' },
  Webhook: { notificationType: 'Webhook', destination: 'https://hooks.example.com/in' },
} as const;
