import { addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-900'],
  'a paused subscription does not run at its due times, and runs again after it is resumed',
  async ({ deliver }) => {
    const { root, svc, addQuery } = await deliver({ 'Svc:Subscriptions:MinimumIntervalSeconds': 1 });
    const queryId = await addQuery('select 1 as one');
    const input = { queryId, recipientIds: [], createTasks: true, cronExpression: '* * * * * *' };
    const id = await addSubscription(root, input);
    const runsSince = async (subscriptionId: number, time: string): Promise<number> => {
      const rows = await svc.sql('select from svc.runs where subscription_id = $1 and due_at > $2', [
        subscriptionId,
        time,
      ]);
      return rows.length;
    };
    const atLeast = (subscriptionId: number, runs: number, time: string) =>
      until(`${runs} runs`, async () => (await runsSince(subscriptionId, time)) >= runs || undefined);
    const now = async (): Promise<string> => {
      const [row] = await svc.sql<{ time: Date }>('select clock_timestamp() as time');
      return row?.time.toISOString() ?? '';
    };

    await atLeast(id, 1, '2001-01-01T00:00:00Z');
    expect((await root.post(`/svc/api/subscriptions/${id}/pause`)).status).toBe(204);
    const pausedAt = await now();
    // Runs of another subscription with the same schedule prove that due times have passed.
    const other = await addSubscription(root, input);
    await atLeast(other, 4, pausedAt);
    expect(await runsSince(id, pausedAt)).toBe(0);

    const resumedAt = await now();
    expect((await root.post(`/svc/api/subscriptions/${id}/resume`)).status).toBe(204);
    await atLeast(id, 1, resumedAt);
  },
);
