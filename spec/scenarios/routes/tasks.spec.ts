import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const tasks = '/svc/api/tasks';

scenario(
  [
    'RT-4.3-39',
    'RT-4.3-73',
    'RT-4.3-74',
    'RT-4.3-75',
    'RT-4.3-76',
    'RT-4.3-77',
    'RT-4.3-78',
    'RT-4.3-79',
    'RT-4.3-80',
    'RT-4.3-81',
    'RT-4.3-84',
  ],
  'a task is opened by rows, handled by users, and resolved when the rows are gone',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2)');
    const queryId = await addQuery(root, projectId, dataSourceId, 'select id from alarms');
    const id = await addSubscription(root, { queryId, recipientIds: [], createTasks: true });
    expect((await root.post(`/svc/api/subscriptions/${id}/sla`, { slaHours: 24 })).status).toBe(204);
    await runNow(root, id);

    expect((await root.get('/svc/api/home/task-summary')).body).toEqual({
      open: 1,
      mine: 0,
      overdue: 0,
      snoozed: 0,
    });
    const activity = (await root.get('/svc/api/home/activity')).body.items;
    expect(activity.map(({ kind }: { kind: string }) => kind)).toContain('TaskOpened');

    const [task] = (await root.get(tasks)).body.items;
    expect(task).toMatchObject({ subscriptionId: id, state: 'Open', latestResultCount: 2 });
    const path = `${tasks}/${task.id}`;
    const detail = async () => (await root.get(path)).body;
    expect(await detail()).toMatchObject({ slaHours: 24, dueAt: expect.any(String), isOverdue: false });

    const userId = await createUser(svc.database, 'doer', 'Editor');
    const doer = await signIn(svc, 'doer');
    expect((await root.post(`${path}/assign`, { assigneeUserId: userId })).status).toBe(204);
    expect((await root.post(`${path}/priority`, { priority: 'High' })).status).toBe(204);
    expect((await root.post(`${path}/watch`)).status).toBe(204);
    expect((await doer.post(`${path}/comments`, { content: 'On it.' })).status).toBe(201);
    expect(await detail()).toMatchObject({
      assigneeName: 'doer',
      priority: 'High',
      isWatching: true,
      commentCount: 1,
    });
    const summary = async () => (await doer.get('/svc/api/home/task-summary')).body;
    expect(await summary()).toEqual({ open: 1, mine: 1, overdue: 0, snoozed: 0 });
    expect((await root.get(`${path}/comments`)).body.items).toMatchObject([{ content: 'On it.' }]);
    const notices = async (who: typeof root): Promise<string[]> =>
      (await who.get('/svc/api/notices?sort=id')).body.items.map(({ kind }: { kind: string }) => kind);
    expect(await notices(doer)).toEqual(['TaskAssigned']);
    expect(await notices(root)).toEqual(['TaskOpened', 'TaskCommented']);

    const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString();
    expect((await doer.post(`${path}/snooze`, { snoozeUntil })).status).toBe(204);
    expect((await root.get(tasks)).body.items).toEqual([]);
    expect(await summary()).toEqual({ open: 0, mine: 0, overdue: 0, snoozed: 1 });
    expect((await doer.post(`${path}/snooze`, { snoozeUntil: null })).status).toBe(204);
    await svc.sql(
      `update svc.tasks set due_at = date_trunc('milliseconds', now()) - interval '1 hour' where id = $1`,
      [task.id],
    );
    expect(await summary()).toEqual({ open: 1, mine: 1, overdue: 1, snoozed: 0 });

    await source.sql('insert into alarms values (3)');
    await runNow(root, id);
    expect((await root.get(`${path}/executions`)).body.items).toMatchObject([
      { rowCount: 3 },
      { rowCount: 2 },
    ]);
    expect((await root.get(`${path}/result-history`)).body.points).toMatchObject([
      { resultCount: 2 },
      { resultCount: 3 },
    ]);
    expect((await doer.post(`${path}/resolve`, { resolutionNotes: 'Switched off.' })).status).toBe(204);
    expect((await root.post(`${path}/resolve`, {})).status).toBe(409);
    expect(await detail()).toMatchObject({ state: 'Resolved', resolutionNotes: 'Switched off.' });
    expect(await summary()).toEqual({ open: 0, mine: 0, overdue: 0, snoozed: 0 });

    await runNow(root, id);
    const [next] = (await root.get(tasks)).body.items;
    expect((await root.get(`${tasks}/${next.id}`)).body).toMatchObject({ previousTaskId: task.id });
    await source.sql('delete from alarms');
    await runNow(root, id);
    expect((await root.get(`${tasks}/${next.id}`)).body).toMatchObject({ resolution: 'Automatic' });
  },
);

scenario(
  ['RT-4.3-1474'],
  'a task states that its runs stored rows only to callers who may see the rows',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2)');
    const taskOf = async (storeResults: boolean): Promise<number> => {
      const queryId = await addQuery(root, projectId, dataSourceId, 'select id from alarms');
      const of = { queryId, recipientIds: [], createTasks: true, storeResults };
      const id = await addSubscription(root, of);
      await runNow(root, id);
      return (await root.get(`${tasks}?subscriptionId=${id}`)).body.items[0].id;
    };
    const [stored, unstored] = [await taskOf(true), await taskOf(false)];
    const hasRows = async (id: number, client = root) =>
      (await client.get(`${tasks}/${id}`)).body.hasStoredRows;
    expect([await hasRows(stored), await hasRows(unstored)]).toEqual([true, false]);
    await createUser(svc.database, 'reader', 'Viewer');
    const reader = await signIn(svc, 'reader');
    expect(await hasRows(stored, reader)).toBe(true);
    // Simulates runs that read a source out of the reader's reach.
    await svc.sql('update svc.runs set data_source_ids = $1', [[2_000_000_000]]);
    expect([await hasRows(stored, reader), await hasRows(stored)]).toEqual([false, true]);
  },
);
