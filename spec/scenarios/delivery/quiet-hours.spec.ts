import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf } from '../support/send-once.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Quiet hours that always apply. */
const quietHours = {
  timeZone: 'Europe/Zagreb',
  windows: [
    { days, from: '00:00', to: '12:00' },
    { days, from: '12:00', to: '00:00' },
  ],
  criticalPasses: false,
};

scenario(
  ['RT-4.3-444'],
  'the message of a scheduled run in quiet hours is sent when they end',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Subscriptions:MinimumIntervalSeconds': 1 });
    const { svc, root, sink } = fixture;
    // The table gets its rows before the first run, because the first schedule fires only at New Year.
    const { id, fill } = await watchTable(fixture, {
      createTasks: false,
      notificationTrigger: 'OnResultCountChange',
      quietHours,
    });
    await fill(2);
    const made = await root.post(`/svc/api/subscriptions/${id}/replace`, { cronExpression: '* * * * * *' });
    const runs = async (): Promise<{ id: number; status: string }[]> =>
      (await root.get(`/svc/api/notifications?subscriptionId=${made.body.id}`)).body.items.toSorted(
        (one: { id: number }, other: { id: number }) => one.id - other.id,
      );
    // The first run has a change, and its message waits. Later runs have the same rows and are silenced.
    const [held] = await until('runs in the quiet hours', async () => {
      const all = await runs();
      return all[1]?.status === 'Silenced' ? all : undefined;
    });
    expect(held?.status).toBe('Created');
    expect(sink.received).toEqual([]);
    await svc.sql('update svc.runs set held_until = now() where id = $1', [held?.id]);
    await svc.sql(
      'update svc_jobs.job set due_at = now() where id = (select job_id from svc.runs where id = $1)',
      [held?.id],
    );
    await until('the end of what was held', async () => {
      const { body } = await root.get(`/svc/api/notifications/${held?.id}`);
      return body.status === 'Sent' ? body : undefined;
    });
    expect(sink.received.map(jsonOf)).toMatchObject([{ totalRecords: 2 }]);
  },
);
