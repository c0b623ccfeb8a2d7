import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addRecipient, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { addPastRuns, watchTable, wave } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf } from '../support/send-once.ts';

const subscriptions = '/svc/api/subscriptions';

scenario(
  ['DL-2.2-14', 'DL-5.1-21', 'DL-5.1-35'],
  'a message contains the severity and explanation of an anomalous count, and no anomaly for an ordinary count',
  async ({ deliver }) => {
    const fixture = await deliver({
      'Svc:Notifications:AllowedHosts:ChatBlocks': ['127.0.0.1'],
      'Svc:Notifications:AllowedPrivateNetworks:ChatBlocks': ['127.0.0.0/8'],
    });
    const chat = await addRecipient(fixture.root, {
      notificationType: 'ChatBlocks',
      destination: `${fixture.sink.url}/chat`,
    });
    const { id, fill } = await watchTable(fixture, { anomaly: {}, storeResults: true });
    await fixture.root.post(`${subscriptions}/${id}/recipients`, { recipientIds: [chat] });
    await addPastRuns(fixture, id, wave(25));
    const bodiesAt = (path: string) =>
      fixture.sink.received.filter((request) => request.path === path).map(jsonOf);

    await fill(26);
    expect((await runNow(fixture.root, id)).status).toBe('Sent');
    await fill(300);
    expect((await runNow(fixture.root, id)).status).toBe('Sent');
    const activity = (await fixture.root.get('/svc/api/home/activity')).body.items;
    const activityEntry = { kind: 'AnomalyDetected', subscriptionId: id, count: 300 };
    expect(activity).toContainEqual(expect.objectContaining(activityEntry));
    expect(activity).toContainEqual(expect.objectContaining({ kind: 'RunSent', count: 26 }));
    const [usual, odd] = bodiesAt('/webhook');
    expect(usual).toMatchObject({ totalRecords: 26 });
    expect(usual).not.toHaveProperty('anomaly');
    expect(odd?.['anomaly']).toEqual({
      isAnomaly: true,
      severity: 'Critical',
      explanation: expect.stringMatching(/^300 rows; \d+ to \d+ were expected, from 20 runs\.$/),
    });
    const blocks = bodiesAt('/chat').map(
      (body) => body['blocks'] as { type: string; text?: { text: string } }[],
    );
    expect(JSON.stringify(blocks[0])).not.toContain('Anomaly');
    expect(blocks[1]?.[0]?.type).toBe('header');
    expect(blocks[1]?.[1]?.text?.text).toMatch(/^Anomaly detected: Critical\n300 rows; /);
  },
);

scenario(
  ['DL-3.1-10'],
  'skipped runs do not change the baseline of anomaly detection',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { id, fill } = await watchTable(fixture, {
      anomaly: {},
      notificationTrigger: 'OnAnomaly',
    });
    await addPastRuns(fixture, id, wave(25));
    await addPastRuns(
      fixture,
      id,
      Array.from({ length: 20 }, () => 300),
      'Skipped',
    );
    await fill(25);
    expect((await runNow(fixture.root, id)).status).toBe('Silenced');
    await fill(300);
    const run = await runNow(fixture.root, id);
    expect(run.status).toBe('Sent');
    const { body } = await fixture.root.get(`${subscriptions}/${id}/anomaly-chart`);
    expect(body).toMatchObject({ pointCount: 20, pointsNeeded: 14, isCut: false });
    expect(body.points.at(-1).explanation).toContain('from 20 runs');
  },
);

scenario(
  ['RT-4.3-82'],
  'the anomaly chart contains the counts, expected ranges, anomalies and verdicts of users',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, fill } = await watchTable(fixture, { anomaly: { sensitivity: 'High', directions: 'Up' } });
    await addPastRuns(fixture, id, wave(25, 40));
    await fill(300);
    const run = await runNow(root, id);
    const chart = async (days: number) =>
      (await root.get(`${subscriptions}/${id}/anomaly-chart?days=${days}`)).body;
    // Nine full days, and today.
    expect((await chart(10)).points).toHaveLength(10);
    const { points, model } = await chart(60);
    expect(points).toHaveLength(41);
    expect(model).toEqual({
      method: 'Robust',
      percent: 40,
      sensitivity: 'High',
      lookbackDays: 180,
      minimumDataPoints: 14,
      directions: 'Up',
      floor: 0,
      holidayCountry: null,
      holidayDates: [],
    });
    const last = points.at(-1);
    expect(last).toMatchObject({ notificationId: run.id, resultCount: 300, verdict: null });
    expect([last.lower < 25, last.upper > 25, last.upper < 60]).toEqual([true, true, true]);
    expect(points[0]).toMatchObject({ severity: null, lower: null, upper: null, explanation: null });

    const verdict = `${subscriptions}/${id}/anomalies/${run.id}/verdict`;
    expect((await root.post(verdict, { verdict: 'Expected' })).status).toBe(204);
    expect((await chart(1)).points.at(-1)).toMatchObject({ verdict: 'Expected' });
    expect((await root.post(verdict, { verdict: null })).status).toBe(204);
    expect((await chart(1)).points.at(-1)).toMatchObject({ verdict: null });

    expect((await root.post(verdict, { verdict: 'Odd' })).status).toBe(400);
    const ordinary = points[0].notificationId;
    const refused = `${subscriptions}/${id}/anomalies/${ordinary}/verdict`;
    expect((await root.post(refused, { verdict: 'Real' })).status).toBe(404);
    expect((await root.get(`${subscriptions}/${id}/anomaly-chart?days=366`)).status).toBe(400);
    expect((await root.get(`${subscriptions}/999999/anomaly-chart`)).status).toBe(404);
  },
);

scenario(
  ['DL-5.7-08'],
  'a run over a data source that a reader cannot access appears in no list, page or chart for that reader',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, projectId } = fixture;
    const { id, fill } = await watchTable(fixture, { anomaly: {} });
    const { queryId } = (await root.get(`${subscriptions}/${id}`)).body;
    await fill(2);
    const run = await runNow(root, id);
    const [task] = (await root.get('/svc/api/tasks')).body.items;
    const member = await signIn(svc, await addUser(svc, 'member', ['Viewer']));
    await root.post(`/svc/api/projects/${projectId}/members`, { userName: 'member', role: 'Viewer' });

    const places: Readonly<Record<string, (client: typeof root) => Promise<number>>> = {
      list: async (client) => (await client.get('/svc/api/notifications')).body.items.length,
      page: async (client) => ((await client.get(`/svc/api/notifications/${run.id}`)).status === 200 ? 1 : 0),
      activity: async (client) =>
        (await client.get('/svc/api/home/activity')).body.items.filter(
          (item: { notificationId: number | null }) => item.notificationId === run.id,
        ).length,
      tower: async (client) =>
        (await client.get(`/svc/api/control-tower/subscriptions/${id}/detail`)).body.runs.length,
      executions: async (client) =>
        (await client.get(`/svc/api/tasks/${task.id}/executions`)).body.items.length,
      resultHistory: async (client) =>
        (await client.get(`/svc/api/tasks/${task.id}/result-history`)).body.points.length,
      chart: async (client) => (await client.get(`${subscriptions}/${id}/anomaly-chart`)).body.points.length,
    };
    const seen = async (client: typeof root) =>
      Object.fromEntries(
        await Promise.all(Object.entries(places).map(async ([name, look]) => [name, await look(client)])),
      );
    const everywhere = Object.fromEntries(Object.keys(places).map((name) => [name, 1]));
    expect(await seen(member)).toEqual(everywhere);
    // Moves the run to a data source that no project of the member contains.
    for (const table of ['runs', 'run_counts_open', 'run_totals', 'run_days'])
      await svc.sql(`update svc.${table} set data_source_ids = array[999]`);
    expect(await seen(member)).toEqual(Object.fromEntries(Object.keys(places).map((name) => [name, 0])));
    expect(await seen(root)).toEqual(everywhere);
    expect((await member.get(`/svc/api/queries/${queryId}`)).status).toBe(200);
  },
);
