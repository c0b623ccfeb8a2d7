import { setUp } from '@svc/testkit/people/people.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const kpis = '/svc/api/home/kpis';

scenario(['RT-4.3-520'], 'one response contains the key figures of the home page', async ({ deliver }) => {
  const { root, source, addQuery } = await deliver();
  await source.sql('create table alarms (id int primary key); insert into alarms values (1)');
  const queryId = await addQuery('select id from alarms', 'Alarms');
  const subscriptionId = await addSubscription(root, { queryId, recipientIds: [], createTasks: true });
  await runNow(root, subscriptionId);
  const brokenId = await addQuery('select 1 / (id - 1) from alarms', 'Broken');
  await runNow(root, await addSubscription(root, { queryId: brokenId, recipientIds: [], createTasks: true }));
  expect((await root.get(kpis)).body).toMatchObject({
    dataSources: 1,
    projects: 1,
    queries: 2,
    activeSubscriptions: 2,
    runs: 2,
    failedRuns: 1,
    openTasks: (await root.get('/svc/api/home/task-summary')).body.open,
  });
});

scenario(
  ['RT-4.3-521'],
  'the key figures of the home page state whether a process runs jobs',
  async ({ start }) => {
    const withWorkers = await setUp(await start({ 'Svc:Jobs:Workers': 1 }));
    expect((await withWorkers.get(kpis)).body).toMatchObject({
      hasLiveWorker: true,
      lastHeartbeatAt: expect.any(String),
    });
    const without = await setUp(await start({ 'Svc:Jobs:Workers': 0 }));
    expect((await without.get(kpis)).body).toMatchObject({ hasLiveWorker: false, lastHeartbeatAt: null });
  },
);
