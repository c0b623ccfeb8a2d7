import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey } from '@svc/testkit/people/people.ts';
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
const now = Date.now();
const ahead = (days: number) => new Date(now + days * 86_400_000).toISOString();

describe('400', () => {
  test.each([
    ['snooze', { snoozeUntil: ahead(-1) }, 'snooze-out-of-range', '/snoozeUntil'],
    ['snooze', { snoozeUntil: ahead(91) }, 'snooze-out-of-range', '/snoozeUntil'],
    ['snooze', { snoozeUntil: 'tomorrow' }, 'invalid-input', '/snoozeUntil'],
    ['priority', { priority: 'Urgent' }, 'invalid-input', '/priority'],
    ['assign', { assigneeUserId: 999_999 }, 'unknown-assignee', '/assigneeUserId'],
    ['comments', { content: '  ' }, 'invalid-input', '/content'],
    ['comments', { content: 'x'.repeat(4_001) }, 'invalid-input', '/content'],
    ['resolve', { resolutionNotes: 'x'.repeat(2_001) }, 'invalid-input', '/resolutionNotes'],
  ])('refuses %s with %o', async (what, body, code, member) => {
    const { taskId } = await opened();
    const answer = await editor.post(`${path}/${taskId}/${what}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ path: member }] } });
  });

  test('refuses an assignee who cannot read the project or is disabled', async () => {
    const { taskId } = await opened();
    const assign = (assigneeUserId: number) => editor.post(`${path}/${taskId}/assign`, { assigneeUserId });
    const refusal = { status: 400, body: { code: 'unknown-assignee' } };
    expect(await assign(await fixture.userIdOf(stranger))).toMatchObject(refusal);
    const viewerId = await fixture.userIdOf(viewer);
    await fixture.sql('update svc.users set is_enabled = false where id = $1', [viewerId]);
    expect(await assign(viewerId)).toMatchObject(refusal);
    await fixture.sql('update svc.users set is_enabled = true where id = $1', [viewerId]);
  });

  test.each([
    ['Assign', '/assigneeUserId'],
    ['Snooze', '/snoozeUntil'],
    ['Prioritise', '/priority'],
  ])('refuses the bulk action %s without its value', async (act, member) => {
    const answer = await editor.post(`${path}/bulk`, { taskIds: [1], act });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'bulk-value-missing', errors: [{ path: member }] },
    });
  });

  test.each([0, 721, 1.5])('refuses an SLA of %d hours', async (slaHours) => {
    const { id } = await fixture.watch();
    const answer = await editor.post(`/svc/api/subscriptions/${id}/sla`, { slaHours });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/slaHours' }] } });
  });
});

const acts: [string, unknown][] = [
  ['resolve', {}],
  ['reopen', undefined],
  ['assign', { assigneeUserId: null }],
  ['snooze', { snoozeUntil: null }],
  ['priority', { priority: 'Low' }],
  ['comments', { content: 'Seen.' }],
];

describe('403 and 404', () => {
  test.each(acts)('%s requires write access to the project', async (what, body) => {
    const { taskId } = await opened();
    expect((await viewer.post(`${path}/${taskId}/${what}`, body)).status).toBe(403);
    expect((await readKey.post(`${path}/${taskId}/${what}`, body)).status).toBe(403);
    expect((await stranger.post(`${path}/${taskId}/${what}`, body)).status).toBe(404);
    expect((await editor.post(`${path}/999999/${what}`, body)).status).toBe(404);
  });

  test('a task of another project does not exist in any route', async () => {
    const { taskId } = await opened();
    for (const part of ['', '/events', '/comments', '/executions', '/related', '/result-history'])
      expect((await stranger.get(`${path}/${taskId}${part}`)).status).toBe(404);
    expect((await stranger.post(`${path}/${taskId}/watch`)).status).toBe(404);
  });

  test('a key cannot watch a task', async () => {
    const { taskId } = await opened();
    const key = await keyOf('Execute');
    expect(await key.post(`${path}/${taskId}/watch`)).toMatchObject({
      status: 403,
      body: { code: 'session-required' },
    });
  });
});

describe('409 and 412', () => {
  test.each(acts.filter(([what]) => what !== 'comments' && what !== 'reopen'))(
    'refuses %s of a resolved task',
    async (what, body) => {
      const { taskId } = await opened();
      await editor.post(`${path}/${taskId}/resolve`, { resolutionNotes: 'First.' });
      const answer = await editor.post(`${path}/${taskId}/${what}`, body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'task-resolved' } });
      expect((await viewer.get(`${path}/${taskId}`)).body.resolutionNotes).toBe('First.');
    },
  );

  test('refuses to reopen an open task, or a task that has an open successor', async () => {
    const { taskId, runWith } = await opened();
    const refusal = { status: 409, body: { code: 'task-open' } };
    expect(await editor.post(`${path}/${taskId}/reopen`)).toMatchObject(refusal);
    await editor.post(`${path}/${taskId}/resolve`, {});
    await runWith(1);
    expect(await editor.post(`${path}/${taskId}/reopen`)).toMatchObject(refusal);
  });

  test('refuses a change with an outdated version', async () => {
    const { taskId } = await opened();
    const read = await editor.get(`${path}/${taskId}`);
    const headers = { 'if-match': read.headers.get('etag') ?? '' };
    await editor.post(`${path}/${taskId}/priority`, { priority: 'High' });
    const stale = await editor.post(`${path}/${taskId}/resolve`, {}, { headers });
    expect(stale.status).toBe(412);
    const fresh = { 'if-match': (await editor.get(`${path}/${taskId}`)).headers.get('etag') ?? '' };
    expect((await editor.post(`${path}/${taskId}/resolve`, {}, { headers: fresh })).status).toBe(204);
  });
});
