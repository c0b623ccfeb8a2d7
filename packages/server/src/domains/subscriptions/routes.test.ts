import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
let fixture: RunFixture;
let queryId: number;
let recipientId: number;
let editor: HttpClient;
let viewer: HttpClient;
let stranger: HttpClient;
let userAdmin: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture();
  queryId = await fixture.addQuery('select id from orders where id > {{above}}', {
    parameters: [{ name: 'above', type: 'Number', defaultValue: 0, isRequired: true }],
  });
  recipientId = await fixture.addRecipient();
  editor = await fixture.person('editor', 'Editor');
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  userAdmin = await fixture.person('userAdmin', 'UserAdmin');
  await fixture.svc.database.query(
    `insert into svc.project_members (project_id, user_id, role)
     select $1, id, case user_name when 'editor' then 'Editor' else 'Viewer' end from svc.users where user_name in ('editor', 'viewer')`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

const body = (change: Readonly<Record<string, unknown>> = {}) => ({
  queryId,
  recipientIds: [recipientId],
  cronExpression: yearly,
  ...change,
});
const add = (change: Readonly<Record<string, unknown>> = {}) => fixture.addSubscription(body(change));
const scheduleOf = async (id: number): Promise<unknown[]> =>
  (
    await fixture.svc.database.query('select cron from svc_jobs.schedule where key = $1', [
      `subscription:${id}`,
    ])
  ).rows;

describe('201', () => {
  test('an Editor subscribes a recipient, with defaults for omitted fields', async () => {
    const answer = await editor.post(path, body({ timeZone: 'Europe/Zagreb' }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${path}/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      queryId,
      projectId: fixture.projectId,
      state: 'Active',
      ownerName: 'editor',
      schedule: { cronExpression: yearly, timeZone: 'Europe/Zagreb' },
      notificationTrigger: 'OnResultCountChange',
      minimumRowCount: null,
      maxRows: null,
      showQuery: false,
      includeAttachment: false,
      attachmentFormat: null,
      parameters: {},
      recipients: [{ id: recipientId, notificationType: 'Webhook', state: 'Approved' }],
      lastRun: null,
      version: 1,
    });
    expect(answer.body.schedule.nextTimes).toHaveLength(5);
    expect(JSON.stringify(answer.body)).not.toContain(fixture.sink.url);
    expect(await scheduleOf(answer.body.id)).toHaveLength(1);
  });

  test('an attachment without a format is CSV', async () => {
    expect(await add({ includeAttachment: true })).toMatchObject({ attachmentFormat: 'Csv' });
  });

  test('the creation is audited with address and trace', async () => {
    const { id } = await add();
    const { rows } = await fixture.svc.database.query(
      `select client_address, trace_id from svc.audit_events where event = 'subscriptions.subscription_created' and subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { client_address: expect.stringMatching(/^10\./), trace_id: expect.stringMatching(/./) },
    ]);
  });
});

describe('200 and 204', () => {
  test('a subscription can be read and listed by a Viewer of its project', async () => {
    const { id } = await add();
    const { status, body: read } = await viewer.get(`${path}/${id}`);
    expect({ status, id: read.id }).toEqual({ status: 200, id });
    const { body: list } = await viewer.get(`${path}?queryId=${queryId}&pageSize=200`);
    expect(list.items.map((item: { id: number }) => item.id)).toContain(id);
    expect(list.totalCount).toBe(list.items.length);
  });

  test('an archived subscription leaves the list, can still be read, and is reactivated with its schedule', async () => {
    const { id } = await add();
    expect((await editor.delete(`${path}/${id}`)).status).toBe(204);
    expect((await editor.delete(`${path}/${id}`)).status).toBe(204);
    expect(await scheduleOf(id)).toEqual([]);
    const ids = async (state: string) =>
      (await editor.get(`${path}?state=${state}&pageSize=200`)).body.items.map(
        (item: { id: number }) => item.id,
      );
    expect(await ids('Active')).not.toContain(id);
    expect(await ids('Archived')).toContain(id);
    expect((await editor.get(`${path}/${id}`)).body).toMatchObject({
      state: 'Archived',
      schedule: { nextTimes: [] },
    });
    const back = await editor.post(`${path}/${id}/reactivate`);
    expect(back).toMatchObject({ status: 200, body: { state: 'Active' } });
    expect(await scheduleOf(id)).toHaveLength(1);
  });

  test('a recipient is attached only once, and can be detached', async () => {
    const { id } = await add();
    const second = await fixture.addRecipient();
    const attached = await editor.post(`${path}/${id}/recipients`, {
      recipientIds: [second, recipientId, second],
    });
    expect(attached.status).toBe(200);
    expect(attached.body.recipients.map((item: { id: number }) => item.id).sort()).toEqual(
      [recipientId, second].sort(),
    );
    expect((await editor.delete(`${path}/${id}/recipients/${second}`)).status).toBe(204);
    expect((await editor.delete(`${path}/${id}/recipients/${second}`)).status).toBe(404);
  });

  test('a UserAdmin can change the owner without read access to the project', async () => {
    const { id } = await add();
    const userId = await createUser(fixture.svc.database, 'the new owner', 'Editor');
    await fixture.svc.database.query(
      "insert into svc.project_members (project_id, user_id, role) values ($1, $2, 'Editor')",
      [fixture.projectId, userId],
    );
    expect((await userAdmin.get(`${path}/${id}`)).status).toBe(403);
    expect((await userAdmin.put(`${path}/${id}/owner`, { userId })).status).toBe(204);
    expect((await fixture.root.get(`${path}/${id}`)).body.ownerUserId).toBe(userId);
  });

  test('a schedule preview returns the next times and a description', async () => {
    const answer = await viewer.post(`${path}/schedule-preview`, {
      cronExpression: '0 8 * * 1-5',
      timeZone: 'Europe/Zagreb',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.nextTimes).toHaveLength(5);
    expect(answer.body.description).toMatch(/\w/);
  });
});

describe('202', () => {
  test('a test run is started and can be followed', async () => {
    const { id } = await add({ parameters: { above: 1 } });
    const answer = await editor.post(`${path}/${id}/test-run`);
    expect(answer).toMatchObject({ status: 202, body: { status: 'Created' } });
    expect(answer.headers.get('location')).toBe(`/svc/api/notifications/${answer.body.id}`);
    expect(await fixture.endOf(answer.body.id)).toMatchObject({
      status: 'Sent',
      resultCount: 2,
      subscriptionId: id,
    });
    expect((await editor.get(`${path}/${id}`)).body.lastRun).toMatchObject({
      id: answer.body.id,
      status: 'Sent',
    });
  });
});

describe('400', () => {
  test.each([
    ['a schedule that cannot be read', { cronExpression: 'every day' }, 'invalid-schedule'],
    ['an unknown time zone', { timeZone: 'Europe/Nowhere' }, 'invalid-schedule'],
    ['a schedule that fires too often', { cronExpression: '* * * * * *' }, 'schedule-too-dense'],
    ['a date that does not exist', { cronExpression: '0 0 30 2 *' }, undefined],
    ['no recipient', { recipientIds: [] }, 'recipients-required'],
    ['a value of another type', { parameters: { above: 'much' } }, 'invalid-parameters'],
    ['a value of an unknown parameter', { parameters: { below: 1 } }, 'invalid-parameters'],
    ['Max rows of 0', { maxRows: 0 }, undefined],
    ['an unknown member', { color: 'red' }, undefined],
  ])('%s is refused', async (_, change, code) => {
    const answer = await editor.post(path, body(change));
    expect(answer.status).toBe(400);
    if (code) expect(answer.body.code).toBe(code);
    expect(answer.body.errors?.length).toBeGreaterThan(0);
  });

  test('a query without a step cannot be subscribed to', async () => {
    const { id } = await fixture.make('/svc/api/queries', { projectId: fixture.projectId, name: 'Empty' });
    expect((await editor.post(path, body({ queryId: id }))).status).toBe(400);
  });

  test('an unknown user and a Viewer cannot become the owner', async () => {
    const { id } = await add();
    expect((await userAdmin.put(`${path}/${id}/owner`, { userId: 999_999 })).status).toBe(400);
    const reader = await createUser(fixture.svc.database, 'only-reads', 'Viewer');
    const refused = await userAdmin.put(`${path}/${id}/owner`, { userId: reader });
    expect([refused.status, refused.body.code]).toEqual([400, 'owner-cannot-write']);
  });
});

describe('401 and 403', () => {
  test('a caller without valid credentials gets 401', async () => {
    expect((await fixture.svc.client('Bearer nothing').get(path)).status).toBe(401);
  });

  test('a user who can only read the project can change nothing in it', async () => {
    const { id } = await add();
    const answers = [
      await viewer.post(path, body()),
      await viewer.delete(`${path}/${id}`),
      await viewer.post(`${path}/${id}/reactivate`),
      await viewer.post(`${path}/${id}/test-run`),
      await viewer.post(`${path}/${id}/recipients`, { recipientIds: [recipientId] }),
      await viewer.delete(`${path}/${id}/recipients/${recipientId}`),
      await editor.put(`${path}/${id}/owner`, { userId: 1 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403]);
  });

  test('a Read key cannot start a run, and an Execute key of an Editor can', async () => {
    const { id } = await add();
    const { rows } = await fixture.svc.database.query("select id from svc.users where user_name = 'editor'");
    const key = async (scope: 'Read' | 'Execute') =>
      fixture.svc.client(
        (
          await createKey(fixture.svc.database, rows[0].id, {
            scopes: [scope],
            projectIds: [fixture.projectId],
          })
        ).authorization,
      );
    expect((await (await key('Read')).post(`${path}/${id}/test-run`)).status).toBe(403);
    expect((await (await key('Execute')).post(`${path}/${id}/test-run`)).status).toBe(202);
  });
});

describe('404', () => {
  test('a subscription, query or project that the caller cannot read does not exist', async () => {
    const { id } = await add();
    const answers = [
      await stranger.post(path, body()),
      await stranger.get(`${path}/${id}`),
      await stranger.delete(`${path}/${id}`),
      await stranger.post(`${path}/${id}/reactivate`),
      await stranger.post(`${path}/${id}/test-run`),
      await stranger.post(`${path}/${id}/recipients`, { recipientIds: [recipientId] }),
      await stranger.delete(`${path}/${id}/recipients/${recipientId}`),
      await editor.get(`${path}/999999`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 404]);
    expect((await stranger.get(`${path}?state=All`)).body).toMatchObject({ items: [], totalCount: 0 });
  });

  test('an unknown recipient prevents the creation of the subscription', async () => {
    const before = (await editor.get(`${path}?state=All`)).body.totalCount;
    expect((await editor.post(path, body({ recipientIds: [recipientId, 999_999] }))).status).toBe(404);
    expect((await editor.get(`${path}?state=All`)).body.totalCount).toBe(before);
  });
});

describe('409', () => {
  test('an archived subscription cannot run', async () => {
    const { id } = await add();
    await editor.delete(`${path}/${id}`);
    const answer = await editor.post(`${path}/${id}/test-run`);
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('subscription-archived');
  });

  test('a subscription whose query is archived cannot be reactivated', async () => {
    const gone = await fixture.addQuery('select 1 as one');
    const { id } = await add({ queryId: gone });
    await editor.delete(`${path}/${id}`);
    await fixture.svc.database.query('update svc.queries set archived_at = now() where id = $1', [gone]);
    expect((await editor.post(`${path}/${id}/reactivate`)).status).toBe(409);
  });
});
