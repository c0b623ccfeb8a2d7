import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTaskFixture, type TaskFixture, type Watched } from './testing/task-fixture.ts';

const path = '/svc/api/tasks';
let fixture: TaskFixture;
let editor: HttpClient;
let viewer: HttpClient;
let stranger: HttpClient;
let readKey: HttpClient;

beforeAll(async () => {
  fixture = await startTaskFixture();
  editor = await fixture.person('editor', 'Editor');
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  await fixture.sql(
    `insert into svc.project_members (project_id, user_id, role)
     select $1, id, case user_name when 'editor' then 'Editor' else 'Viewer' end from svc.users where user_name in ('editor', 'viewer')`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  readKey = await keyOf('Read');
});
afterAll(() => fixture.close());

/** Returns a client with a key of the editor for the project. */
async function keyOf(scope: string): Promise<HttpClient> {
  const { text } = await addKey(editor, { scopes: [scope], projects: [fixture.projectId] });
  return fixture.svc.client(`Bearer ${text}`);
}

/** Creates a subscription with an open task. */
async function opened(more: Readonly<Record<string, unknown>> = {}): Promise<Watched & { taskId: number }> {
  const watched = await fixture.watch(more);
  await watched.runWith(1);
  return { ...watched, taskId: (await watched.task()).id };
}

describe('200', () => {
  test('a list is filtered and sorted, and contains only tasks that the caller can read', async () => {
    const first = await opened();
    const second = await opened({ slaHours: 1 });
    const editorId = await fixture.userIdOf(editor);
    await editor.post(`${path}/${first.taskId}/assign`, { assigneeUserId: editorId });
    await editor.post(`${path}/${second.taskId}/priority`, { priority: 'Critical' });
    const ids = async (client: HttpClient, query: string): Promise<number[]> =>
      (await client.get(`${path}?pageSize=200&${query}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await ids(viewer, 'sort=id')).toEqual([first.taskId, second.taskId]);
    expect(await ids(stranger, '')).toEqual([]);
    expect(await ids(editor, 'assignee=Me')).toEqual([first.taskId]);
    expect(await ids(viewer, 'assignee=Me')).toEqual([]);
    expect(await ids(viewer, 'assignee=Nobody')).toEqual([second.taskId]);
    expect(await ids(viewer, 'assignee=Somebody')).toEqual([first.taskId]);
    expect(await ids(viewer, 'priority=Critical')).toEqual([second.taskId]);
    expect(await ids(viewer, 'sort=priority')).toEqual([second.taskId, first.taskId]);
    expect(await ids(viewer, 'isOverdue=true')).toEqual([]);
    await fixture.sql(
      `update svc.tasks set due_at = date_trunc('milliseconds', now() - interval '1 hour') where id = $1`,
      [second.taskId],
    );
    expect(await ids(viewer, 'isOverdue=true')).toEqual([second.taskId]);
    expect(await ids(viewer, `queryId=${first.queryId}`)).toEqual([first.taskId]);
    await editor.post(`${path}/${first.taskId}/resolve`, {});
    expect(await ids(viewer, 'state=Open')).toEqual([second.taskId]);
    expect(await ids(viewer, 'state=Resolved')).toEqual([first.taskId]);
  });

  test('a task contains whether the caller can act on it', async () => {
    const { taskId } = await opened();
    expect((await viewer.get(`${path}/${taskId}`)).body).toMatchObject({ id: taskId, canAct: false });
    expect((await editor.get(`${path}/${taskId}`)).body).toMatchObject({ canAct: true });
    expect((await readKey.get(`${path}/${taskId}`)).body).toMatchObject({ canAct: false });
  });

  test('the runs and counts of a task contain only runs that the caller can see', async () => {
    const { taskId, runWith } = await opened();
    await runWith(4);
    const runs = (await viewer.get(`${path}/${taskId}/executions`)).body;
    expect(runs).toMatchObject({
      totalCount: 2,
      items: [{ rowCount: 4, status: 'Silenced' }, { rowCount: 1 }],
    });
    const counts = async (client: HttpClient) =>
      (await client.get(`${path}/${taskId}/result-history`)).body.points.map(
        ({ resultCount }: { resultCount: number }) => resultCount,
      );
    expect(await counts(viewer)).toEqual([1, 4]);
    // Simulates runs that read a source out of the viewer's reach.
    await fixture.sql('update svc.runs set data_source_ids = $1', [[fixture.sourceId, 999]]);
    expect(await counts(viewer)).toEqual([]);
    expect((await viewer.get(`${path}/${taskId}/executions`)).body.items).toEqual([]);
    expect(await counts(fixture.root)).toEqual([1, 4]);
  });

  test('the runs and counts of a task include each replaced subscription up to its replacement', async () => {
    const { id, taskId, runWith, setRows } = await opened();
    const replaced = async (of: number): Promise<number> => {
      const replacement = await editor.post(`/svc/api/subscriptions/${of}/replace`, {
        cronExpression: yearly,
      });
      expect(replacement.status, replacement.text).toBe(201);
      return replacement.body.id;
    };
    const second = await replaced(id);
    await editor.post(`/svc/api/subscriptions/${id}/reactivate`);
    await setRows(2);
    await fixture.runNow(second);
    const third = await replaced(second);
    await setRows(3);
    await fixture.runNow(third);
    // The reactivated subscription has its own task now.
    await runWith(9);
    const runs = (await viewer.get(`${path}/${taskId}/executions`)).body;
    expect(runs.totalCount).toBe(3);
    expect(runs.items.map(({ rowCount }: { rowCount: number }) => rowCount)).toEqual([3, 2, 1]);
    expect((await viewer.get(`${path}/${taskId}/executions?pageSize=1&page=1`)).body).toMatchObject({
      totalCount: 3,
      items: [{ rowCount: 2 }],
    });
    const { points } = (await viewer.get(`${path}/${taskId}/result-history`)).body;
    expect(points.map(({ resultCount }: { resultCount: number }) => resultCount)).toEqual([1, 2, 3]);
  });

  test('a task links to the previous task of a replaced subscription, but not to a later one', async () => {
    const { id, taskId, runWith } = await opened();
    await runWith(0);
    const replacement = await editor.post(`/svc/api/subscriptions/${id}/replace`, { cronExpression: yearly });
    await editor.post(`/svc/api/subscriptions/${id}/reactivate`);
    await runWith(1);
    await fixture.runNow(replacement.body.id);
    const [next] = (await viewer.get(`${path}?subscriptionId=${replacement.body.id}`)).body.items;
    expect((await viewer.get(`${path}/${next.id}`)).body.previousTaskId).toBe(taskId);
  });

  test('the possible assignees are the users who can read the project, searched by name', async () => {
    const { taskId } = await opened();
    const names = async (query = '') =>
      (await editor.get(`${path}/${taskId}/assignees${query}`)).body.items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names()).toEqual(expect.arrayContaining(['editor', 'viewer']));
    expect(await names()).not.toContain('stranger');
    expect(await names('?search=EDI')).toEqual(['editor']);
    for (const { id } of (await editor.get(`${path}/${taskId}/assignees`)).body.items)
      expect((await editor.post(`${path}/${taskId}/assign`, { assigneeUserId: id })).status).toBe(204);
    expect((await viewer.get(`${path}/${taskId}/assignees`)).status).toBe(403);
    expect((await stranger.get(`${path}/${taskId}/assignees`)).status).toBe(404);
  });

  test('several tasks are changed separately in one request', async () => {
    const [one, two] = [await opened(), await opened()];
    await editor.post(`${path}/${two.taskId}/resolve`, {});
    const answer = await editor.post(`${path}/bulk`, {
      taskIds: [one.taskId, two.taskId, 999_999, one.taskId],
      act: 'Resolve',
      resolutionNotes: 'All at once.',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.results).toMatchObject([
      { id: one.taskId, isDone: true, code: null },
      { id: two.taskId, isDone: false, code: 'task-resolved' },
      { id: 999_999, isDone: false, code: 'not-found' },
    ]);
    const foreign = await stranger.post(`${path}/bulk`, { taskIds: [one.taskId], act: 'Reopen' });
    expect(foreign.body.results).toMatchObject([{ isDone: false, code: 'not-found' }]);
  });
});

describe('201 and 204', () => {
  test('comments are trimmed and listed newest first with their author', async () => {
    const { taskId } = await opened();
    for (const content of ['First.', ' Second. ']) {
      const answer = await editor.post(`${path}/${taskId}/comments`, { content });
      expect(answer.status).toBe(201);
    }
    const { body } = await viewer.get(`${path}/${taskId}/comments`);
    expect(body.items).toMatchObject([
      { content: 'Second.', userName: 'editor' },
      { content: 'First.', userName: 'editor' },
    ]);
    expect((await viewer.get(`${path}/${taskId}`)).body.commentCount).toBe(2);
  });

  test('readers can watch and stop watching a task, and repeated requests change nothing', async () => {
    const { taskId } = await opened();
    const watching = async () => {
      const { isWatching, watcherCount } = (await viewer.get(`${path}/${taskId}`)).body;
      return { isWatching, watcherCount };
    };
    for (let count = 0; count < 2; count++)
      expect((await viewer.post(`${path}/${taskId}/watch`)).status).toBe(204);
    expect(await watching()).toEqual({ isWatching: true, watcherCount: 1 });
    for (let count = 0; count < 2; count++)
      expect((await viewer.post(`${path}/${taskId}/unwatch`)).status).toBe(204);
    expect(await watching()).toEqual({ isWatching: false, watcherCount: 0 });
  });

  test('a reopened task is open with its full SLA', async () => {
    const { taskId } = await opened({ slaHours: 2 });
    await editor.post(`${path}/${taskId}/resolve`, { resolutionNotes: 'Done.' });
    const beforeMs = Date.now();
    expect((await editor.post(`${path}/${taskId}/reopen`)).status).toBe(204);
    const task = (await viewer.get(`${path}/${taskId}`)).body;
    expect(task).toMatchObject({ state: 'Open', resolution: null, resolutionNotes: null, resolvedAt: null });
    expect(Date.parse(task.dueAt)).toBeGreaterThan(beforeMs + 3_600_000);
  });

  test('changes of a task are audited without any text of the user', async () => {
    const { taskId } = await opened();
    await editor.post(`${path}/${taskId}/comments`, { content: 'Confidential.' });
    await editor.post(`${path}/${taskId}/priority`, { priority: 'High' });
    await editor.post(`${path}/${taskId}/resolve`, { resolutionNotes: 'Confidential.' });
    const rows = await fixture.sql(
      `select event, detail::text from svc.audit_events where subject_kind = 'task' and subject_id = $1 order by id`,
      [taskId],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'tasks.comment_added',
      'tasks.priority_changed',
      'tasks.task_resolved',
    ]);
    expect(JSON.stringify(rows)).not.toContain('Confidential');
  });

  test('a changed SLA of a subscription applies to the next task', async () => {
    const { id, taskId, runWith, task } = await opened();
    expect((await editor.post(`/svc/api/subscriptions/${id}/sla`, { slaHours: 3 })).status).toBe(204);
    expect((await task()).dueAt).toBeNull();
    await editor.post(`${path}/${taskId}/resolve`, {});
    await runWith(1);
    expect((await task()).dueAt).not.toBeNull();
  });
});
