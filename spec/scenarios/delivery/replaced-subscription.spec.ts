import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';

const subscriptions = '/svc/api/subscriptions';

scenario(
  ['RT-4.3-443'],
  'a subscription with a new schedule replaces another: rows are not sent again, and its task remains open',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { svc, root } = fixture;
    const { id, fill } = await watchTable(fixture, {
      notificationTrigger: 'WhileRows',
      alert: { recoverRuns: 2 },
      slaHours: 8,
      showQuery: true,
    });
    const owner = await addUser(svc, 'owner', ['Editor']);
    expect((await root.put(`${subscriptions}/${id}/owner`, { userId: owner.userId })).status).toBe(204);
    await fill(2);
    expect((await runNow(root, id)).status).toBe('Sent');
    const { body: before } = await root.get(`${subscriptions}/${id}`);
    const [task] = (await root.get('/svc/api/tasks')).body.items;
    expect(task.subscriptionId).toBe(id);

    const schedule = { cronExpression: '15 6 * * 1', timeZone: 'Europe/Zagreb' };
    const editor = await signIn(svc, await addUser(svc, 'editor', ['Editor']));
    const made = await editor.post(`${subscriptions}/${id}/replace`, schedule);
    expect(made.status, made.text).toBe(201);
    const { body: after } = made;
    expect(made.headers.get('location')).toBe(`${subscriptions}/${after.id}`);
    expect(after.id).not.toBe(id);
    expect(after.schedule).toMatchObject(schedule);
    for (const name of [
      'alert',
      'alertState',
      'recipients',
      'notificationTrigger',
      'slaHours',
      'showQuery',
      'ownerUserId',
    ])
      expect([name, after[name]]).toEqual([name, before[name]]);
    expect((await root.get(`${subscriptions}/${id}`)).body).toMatchObject({
      state: 'Archived',
      alertState: null,
    });

    expect((await runNow(root, after.id)).status).toBe('Silenced');
    const open = (await root.get('/svc/api/tasks')).body.items;
    expect(
      open.map(({ id: taskId, subscriptionId }: Record<string, number>) => [taskId, subscriptionId]),
    ).toEqual([[task.id, after.id]]);

    const again = (of: number, body: unknown, headers = {}) =>
      root.post(`${subscriptions}/${of}/replace`, body, { headers });
    expect((await again(id, schedule)).body).toMatchObject({ status: 409, code: 'subscription-archived' });
    expect((await again(after.id, { cronExpression: 'every day' })).body).toMatchObject({
      status: 400,
      code: 'invalid-schedule',
    });
    expect((await again(after.id, schedule, { 'if-match': '"999"' })).status).toBe(412);
    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    expect((await viewer.post(`${subscriptions}/${after.id}/replace`, schedule)).status).toBe(403);
    expect((await again(999_999, schedule)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-1475'],
  'a task of a subscription that was replaced twice has the runs, counts and rows of all three subscriptions',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, queryId, fill } = await watchTable(fixture, { storeResults: true });
    await fill(1);
    await runNow(root, id);
    const [task] = (await root.get('/svc/api/tasks')).body.items;
    const part = async (name: string) => (await root.get(`/svc/api/tasks/${task.id}/${name}`)).body;
    const replace = async (of: number): Promise<number> =>
      (await root.post(`${subscriptions}/${of}/replace`, { cronExpression: '15 6 * * 1' })).body.id;
    const second = await replace(id);
    // The same count, so that the run leaves no event in the timeline of the task.
    const between = await runNow(root, second);
    const third = await replace(second);
    const last = await root.get(`/svc/api/queries/${queryId}/last-result?taskId=${task.id}`);
    expect(last.body.lastResult).toMatchObject({ notificationId: between.id, subscriptionId: second });
    await fill(3);
    await runNow(root, third);
    expect((await part('executions')).items).toMatchObject([
      { rowCount: 3 },
      { rowCount: 1 },
      { rowCount: 1 },
    ]);
    expect((await part('result-history')).points).toMatchObject([
      { resultCount: 1 },
      { resultCount: 1 },
      { resultCount: 3 },
    ]);
  },
);
