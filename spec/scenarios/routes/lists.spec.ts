import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-343'],
  'a saved view is listed only for the user who saved it, and a name can be used once',
  async ({ svc, root }) => {
    const view = { list: 'subscriptions', name: 'Archived', search: 'state=Archived&sort=-createdTime' };
    expect((await root.post('/svc/api/saved-views', view)).status).toBe(201);
    expect((await root.post('/svc/api/saved-views', view)).body.code).toBe('view-exists');
    const other = await signIn(svc, await addUser(svc, 'views', ['Viewer']));
    expect((await root.get('/svc/api/saved-views?list=subscriptions')).body.items).toMatchObject([view]);
    expect((await other.get('/svc/api/saved-views?list=subscriptions')).body.items).toEqual([]);
    const [{ id }] = (await root.get('/svc/api/saved-views?list=subscriptions')).body.items;
    const renamed = await other.patch(`/svc/api/saved-views/${id}`, { name: 'Taken over' });
    expect([renamed.status, (await other.delete(`/svc/api/saved-views/${id}`)).status]).toEqual([404, 404]);
    expect((await root.get('/svc/api/saved-views?list=subscriptions')).body.items).toMatchObject([
      { ...view, id },
    ]);
    expect((await root.delete(`/svc/api/saved-views/${id}`)).status).toBe(204);
    expect((await root.get('/svc/api/saved-views?list=subscriptions')).body.items).toEqual([]);
  },
);

scenario(
  ['RT-4.3-344', 'RT-4.3-901'],
  'several subscriptions can be snoozed, paused, archived and reactivated, and one refusal does not affect the others',
  async ({ deliver }) => {
    const { root, addQuery } = await deliver();
    const add = async (name: string) =>
      addSubscription(root, {
        queryId: await addQuery('select 1 as one', name),
        recipientIds: [],
        createTasks: true,
      });
    const ids = [await add('First'), await add('Second')];
    const change = async (act: string, more: Readonly<Record<string, unknown>> = {}) => {
      const subscriptionIds = [ids[0], 999_999, ids[1]];
      const { body } = await root.post('/svc/api/subscriptions/bulk', { act, subscriptionIds, ...more });
      return body.results.map(({ isDone, code }: { isDone: boolean; code: string | null }) => code ?? isDone);
    };
    const states = () =>
      Promise.all(ids.map(async (id) => (await root.get(`/svc/api/subscriptions/${id}`)).body));
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change('Snooze', { until, reason: 'Maintenance' })).toEqual([true, 'not-found', true]);
    expect(await states()).toMatchObject([{ snoozedUntil: until }, { snoozeReason: 'Maintenance' }]);
    await change('Snooze', { until: null });
    expect(await states()).toMatchObject([{ snoozedUntil: null }, { snoozedUntil: null }]);
    expect(await change('Pause')).toEqual([true, 'not-found', true]);
    const pausedSince = expect.any(String);
    expect(await states()).toMatchObject([{ pausedSince }, { pausedSince }]);
    expect(await change('Resume')).toEqual([true, 'not-found', true]);
    expect(await states()).toMatchObject([{ pausedSince: null }, { pausedSince: null }]);
    expect(await change('Archive')).toEqual([true, 'not-found', true]);
    expect(await states()).toMatchObject([{ state: 'Archived' }, { state: 'Archived' }]);
    expect(await change('Reactivate')).toEqual([true, 'not-found', true]);
    expect(await states()).toMatchObject([{ state: 'Active' }, { state: 'Active' }]);

    const send = async (body: Readonly<Record<string, unknown>>) => {
      const answer = await root.post('/svc/api/subscriptions/bulk', { subscriptionIds: ids, ...body });
      return [answer.status, answer.body.code];
    };
    expect(await send({ act: 'Snooze' })).toEqual([400, 'bulk-value-missing']);
    expect(await send({ act: 'Snooze', until: '2001-01-01T00:00:00Z' })).toEqual([
      400,
      'snooze-out-of-range',
    ]);
    expect(await send({ act: 'Delete' })).toEqual([400, 'invalid-input']);
    expect(await send({ act: 'Archive', subscriptionIds: [] })).toEqual([400, 'invalid-input']);
  },
);

scenario(
  ['RT-4.3-1465'],
  'each change of several subscriptions is refused in a project without Write, and made in a project with Write',
  async ({ deliver }) => {
    const { svc, root, projectId, dataSourceId } = await deliver();
    const secondProject = await addProject(root, 'Second');
    await root.post(`/svc/api/projects/${secondProject}/data-sources`, { dataSourceId });
    const { userName } = await addUser(svc, 'half', ['Editor']);
    const ids: number[] = [];
    for (const [id, role] of [
      [projectId, 'Viewer'],
      [secondProject, 'Editor'],
    ] as const) {
      await root.post(`/svc/api/projects/${id}/members`, { userName, role });
      await restrict(root, id);
      const queryId = await addQuery(root, id, dataSourceId, 'select 1 as one');
      ids.push(await addSubscription(root, { queryId, recipientIds: [], createTasks: true }));
    }
    const half = await signIn(svc, userName);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const change of [
      { act: 'Pause' },
      { act: 'Resume' },
      { act: 'Snooze', until },
      { act: 'Archive' },
      { act: 'Reactivate' },
    ]) {
      const { body } = await half.post('/svc/api/subscriptions/bulk', { ...change, subscriptionIds: ids });
      expect([change.act, body.results]).toMatchObject([
        change.act,
        [
          { id: ids[0], isDone: false, code: 'project-right-required' },
          { id: ids[1], isDone: true, code: null },
        ],
      ]);
      expect((await root.get(`/svc/api/subscriptions/${ids[0]}`)).body).toMatchObject({
        state: 'Active',
        pausedSince: null,
        snoozedUntil: null,
      });
    }
  },
);

scenario(
  ['RT-4.3-345'],
  'runs can be filtered by due time and recipient, and the count matches the filter',
  async ({ deliver }) => {
    const { root, sink, addQuery } = await deliver();
    const add = (at: string) =>
      addRecipient(root, { notificationType: 'Webhook', destination: `${sink.url}/${at}` });
    const recipientIds = [await add('a'), await add('b')];
    const runOf = async (name: string, recipientId: number) => {
      const queryId = await addQuery('select 1 as one', name);
      const added = { queryId, recipientIds: [recipientId], notificationTrigger: 'Always' };
      return runNow(root, await addSubscription(root, added));
    };
    await runOf('To a', recipientIds[0] ?? 0);
    const between = new Date().toISOString();
    await runOf('To b', recipientIds[1] ?? 0);
    const listed = async (query: string) => {
      const { body } = await root.get(`/svc/api/notifications?${query}`);
      return [body.totalCount, body.items.map(({ queryName }: { queryName: string }) => queryName)];
    };
    expect(await listed('')).toEqual([2, ['To b', 'To a']]);
    expect(await listed(`recipientId=${recipientIds[0]}`)).toEqual([1, ['To a']]);
    expect(await listed(`from=${between}`)).toEqual([1, ['To b']]);
    expect(await listed(`to=${between}`)).toEqual([1, ['To a']]);
    expect(await listed(`to=${between}&recipientId=${recipientIds[1]}`)).toEqual([0, []]);
    expect(await listed(`from=${between}&status=Sent`)).toEqual([1, ['To b']]);
    expect(await listed(`from=${between}&search=to%20a`)).toEqual([0, []]);
    expect(await listed('recipientId=999999')).toEqual([0, []]);
    for (const bad of ['from=yesterday', 'recipientId=0', 'to=2026-13-01T00:00:00Z'])
      expect((await root.get(`/svc/api/notifications?${bad}`)).status, bad).toBe(400);
  },
);
