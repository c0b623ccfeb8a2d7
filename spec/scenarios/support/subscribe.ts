import { vi } from 'vitest';
import type { HttpClient } from './http-client.ts';

/** Body of a new recipient. */
export type RecipientInput = {
  readonly notificationType: 'Email' | 'ChatBlocks' | 'ChatCards' | 'IssueTracker' | 'Webhook';
  readonly name: string;
  readonly destination: string;
  readonly description?: string;
  readonly customHeaders?: Readonly<Record<string, unknown>>;
  readonly bodyTemplate?: string;
};

async function created(client: HttpClient, path: string, body: unknown): Promise<number> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return answer.read<{ id: number }>().id;
}

let count = 0;

/** Saves a recipient. */
export const addRecipient = (
  client: HttpClient,
  recipient: Omit<RecipientInput, 'name'> & { name?: string },
): Promise<number> => created(client, '/svc/api/recipients', { name: `Recipient ${count++}`, ...recipient });

/** Subscribes recipients to a query, on a schedule that does not come up by itself. */
export const addSubscription = (
  client: HttpClient,
  subscription: { queryId: number; recipientIds: readonly number[] } & Readonly<Record<string, unknown>>,
): Promise<number> =>
  created(client, '/svc/api/subscriptions', {
    cronExpression: '0 0 1 1 *',
    notificationTrigger: 'Always',
    ...subscription,
  });

/** A run, as its detail page shows it. */
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

/** Reads a run once it is over. */
export async function finishedRun(client: HttpClient, id: number): Promise<RunDetail> {
  return vi.waitFor(
    async () => {
      const run = (await client.get(`/svc/api/notifications/${id}`)).read<RunDetail>();
      if (!run.finishedAt) throw new Error(`Run ${id} is not over: ${JSON.stringify(run)}`);
      return run;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Test now, to its end. */
export async function runNow(client: HttpClient, subscriptionId: number): Promise<RunDetail> {
  const answer = await client.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
  if (answer.status !== 202) throw new Error(`Test now answered ${answer.status} ${answer.text}`);
  return finishedRun(client, answer.read<{ id: number }>().id);
}

/** A sound recipient of each kind that needs nothing but its destination. */
export const recipientOf = {
  Email: { notificationType: 'Email', destination: 'anna@example.org' },
  Webhook: { notificationType: 'Webhook', destination: 'https://hooks.example.com/in' },
} as const;
