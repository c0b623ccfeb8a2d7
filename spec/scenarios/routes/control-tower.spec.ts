import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const tower = '/svc/api/control-tower';

scenario(
  ['RT-4.3-40', 'RT-4.3-240', 'RT-4.3-241', 'RT-4.3-41'],
  'the control tower reports the health of subscriptions only to readers of the project',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table alarms (id int primary key); insert into alarms values (1)');
    const add = async (name: string, statement: string) => {
      const queryId = await addQuery(root, projectId, dataSourceId, statement, name);
      return addSubscription(root, { queryId, recipientIds: [], createTasks: true });
    };
    const well = await add('Well', 'select id from alarms');
    const broken = await add('Broken', 'select id from alarms where 1 / (id - 1) > 0');
    await add('Never run', 'select id from alarms');
    await runNow(root, well);
    const failed = await runNow<{ id: number; status: string }>(root, broken);
    expect(failed.status).toBe('Failed');

    expect((await root.get(`${tower}/health`)).body).toMatchObject({
      totalCount: 3,
      items: [
        { name: 'Broken', health: 'Critical', reasons: ['LastRunFailed', 'LowSuccessRate'], successRate: 0 },
        { name: 'Never run', health: 'New', reasons: ['NoRuns'], successRate: null },
        { name: 'Well', health: 'Healthy', reasons: [], successRate: 1 },
      ],
    });
    expect((await root.get(`${tower}/statistics`)).body).toMatchObject({
      total: 3,
      critical: 1,
      new: 1,
      healthy: 1,
      judged: 2,
      good: 1,
      failed: 1,
      hasLiveWorker: true,
    });
    const detail = `${tower}/subscriptions/${broken}/detail`;
    expect((await root.get(detail)).body).toMatchObject({
      id: broken,
      health: 'Critical',
      days: [{ judged: 1, failed: 1 }],
      runs: [{ id: failed.id }],
    });

    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    await createUser(svc.database, 'outsider', 'Editor');
    const outsider = await signIn(svc, 'outsider');
    expect((await outsider.get(`${tower}/health`)).body).toMatchObject({ totalCount: 0, items: [] });
    expect((await outsider.get(`${tower}/statistics`)).body).toMatchObject({ total: 0, judged: 0 });
    expect((await outsider.get(detail)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-1160', 'RT-4.3-1161'],
  'a frequent subscription is Stalled while no process runs jobs, unless it is paused',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver({ 'Svc:Jobs:Workers': 0 });
    await source.sql('create table alarms (id int primary key)');
    const queryId = await addQuery(root, projectId, dataSourceId, 'select id from alarms', 'Frequent');
    const id = await addSubscription(root, {
      queryId,
      recipientIds: [],
      createTasks: true,
      cronExpression: '* * * * *',
    });
    const health = async () => (await root.get(`${tower}/health`)).body.items[0].health;
    expect(await health()).toBe('New');
    await svc.database.query(`update svc.subscriptions set created_time = now() - interval '1 hour'`);
    expect(await health()).toBe('Stalled');
    await root.post(`/svc/api/subscriptions/${id}/pause`);
    expect(await health()).toBe('New');
    await root.post(`/svc/api/subscriptions/${id}/resume`);
    expect(await health()).toBe('New');
  },
);

scenario(
  ['RT-4.3-1172'],
  'a run that takes longer than its interval and the grace period is not Stalled while it continues',
  async ({ deliver }) => {
    const graceSeconds = 30;
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:Subscriptions:MissedRunGraceSeconds': graceSeconds,
      'Svc:Subscriptions:MinimumIntervalSeconds': 1,
    });
    await source.sql('create table alarms (id int primary key)');
    const queryId = await addQuery(root, projectId, dataSourceId, 'select id from alarms', 'Slow');
    const client = await source.pool.connect();
    try {
      await client.query('begin; lock table alarms in access exclusive mode');
      const id = await addSubscription(root, {
        queryId,
        recipientIds: [],
        createTasks: true,
        cronExpression: '* * * * * *',
      });
      const underWayFor = async () =>
        (
          await svc.sql<{ seconds: number }>(
            `select extract(epoch from now() - started_at)::float8 as seconds from svc.runs
              where subscription_id = $1 and status = 'Created' and started_at is not null`,
            [id],
          )
        )[0]?.seconds ?? 0;
      await expect.poll(underWayFor, { timeout: 120_000, interval: 500 }).toBeGreaterThan(graceSeconds + 5);
      expect((await root.get(`${tower}/health`)).body.items).toMatchObject([
        { id, health: expect.not.stringMatching('Stalled') },
      ]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
  { timeout: 300_000 },
);
