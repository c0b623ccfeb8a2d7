import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf } from '../support/send-once.ts';

const subscriptions = '/svc/api/subscriptions';

scenario(
  ['RT-4.3-440', 'RT-4.3-441', 'RT-4.3-442'],
  'recipients are notified once of rows and once of their end, and a reset makes the next rows new',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, sink } = fixture;
    const { id, fill } = await watchTable(fixture, {
      createTasks: false,
      notificationTrigger: 'WhileRows',
    });
    const statusOver = async (rows: number) => {
      await fill(rows);
      return (await runNow(root, id)).status;
    };
    const statuses: string[] = [];
    for (const rows of [0, 2, 2, 3, 0, 0, 1]) statuses.push(await statusOver(rows));
    expect(statuses).toEqual(['NoResults', 'Sent', 'Silenced', 'Silenced', 'Sent', 'NoResults', 'Sent']);
    expect(await statusOver(1)).toBe('Silenced');
    expect((await root.post(`${subscriptions}/${id}/alert-reset`)).status).toBe(204);
    expect(await statusOver(1)).toBe('Sent');

    const bodies = sink.received.filter(({ path }) => path === '/webhook').map(jsonOf);
    expect(bodies.map(({ totalRecords }) => totalRecords)).toEqual([2, 0, 1, 1]);
    expect(bodies.map(({ alert }) => (alert as { state: string }).state)).toEqual([
      'Firing',
      'Ok',
      'Firing',
      'Firing',
    ]);
    for (const { alert } of bodies)
      expect(Number.isFinite(Date.parse((alert as { since: string }).since))).toBe(true);

    await root.patch(`${subscriptions}/${id}`, { notificationTrigger: 'Always' });
    expect(await statusOver(1)).toBe('Sent');
    expect(jsonOf(sink.received.at(-1) as (typeof sink.received)[number])).not.toHaveProperty('alert');
  },
);
