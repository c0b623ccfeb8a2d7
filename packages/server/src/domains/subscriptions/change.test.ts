import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
let fixture: RunFixture;
let queryId: number;
let recipientId: number;
let viewer: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture();
  queryId = await fixture.addQuery('select id from orders where id > {{above}}', {
    parameters: [{ name: 'above', type: 'Number', defaultValue: 0, isRequired: true }],
  });
  recipientId = await fixture.addRecipient();
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  await fixture.svc.database.query(
    `insert into svc.project_members (project_id, user_id, role) select $1, id, 'Viewer' from svc.users where user_name = 'viewer'`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

const add = async (more: Readonly<Record<string, unknown>> = {}): Promise<number> =>
  (await fixture.addSubscription({ queryId, recipientIds: [recipientId], ...more })).id;
const change = (id: number, body: unknown, version?: string) =>
  fixture.root.patch(
    `${path}/${id}`,
    body,
    version === undefined ? {} : { headers: { 'if-match': version } },
  );

const everything = {
  notificationTrigger: 'Always',
  minimumRowCount: 2,
  maxRows: 10,
  timeoutSeconds: 30,
  showQuery: true,
  storeResults: true,
  includeAttachment: true,
  attachmentFormat: 'Xlsx',
  createTasks: true,
  slaHours: 8,
  parameters: { above: 1 },
};

describe('200', () => {
  test('every field except query and schedule can be changed, and omitted fields are unchanged', async () => {
    const id = await add({ timeZone: 'Europe/Zagreb' });
    const before = (await fixture.root.get(`${path}/${id}`)).body;
    const answer = await change(id, everything);
    expect(answer).toMatchObject({ status: 200, body: { ...everything, version: 2 } });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.body).toMatchObject({ queryId, schedule: { timeZone: 'Europe/Zagreb' } });
    expect(answer.body.recipients).toEqual(before.recipients);
    for (const [name, value] of Object.entries(everything)) {
      const { [name]: _own, ...others } = everything as Record<string, unknown>;
      expect((await change(id, { [name]: value })).body).toMatchObject(others);
    }
    const numbers = { minimumRowCount: null, maxRows: null, timeoutSeconds: null, slaHours: null };
    expect((await change(id, numbers)).body).toMatchObject({ ...everything, ...numbers });
  });

  test('a run uses the changed settings', async () => {
    const id = await add({ notificationTrigger: 'Always' });
    expect(await fixture.runNow(id)).toMatchObject({ status: 'Sent' });
    await change(id, { minimumRowCount: 100 });
    expect(await fixture.runNow(id)).toMatchObject({ status: 'BelowThreshold' });
    await change(id, { minimumRowCount: null, parameters: { above: 1_000 } });
    expect(await fixture.runNow(id)).toMatchObject({ status: 'NoResults' });
  });

  test('an attachment without a format is CSV', async () => {
    const id = await add();
    expect((await change(id, { includeAttachment: true })).body).toMatchObject({ attachmentFormat: 'Csv' });
  });

  test('the audit log contains the names of changed fields without values, and no entry for an empty change', async () => {
    const id = await add();
    await change(id, { parameters: { above: 4711 }, showQuery: true });
    expect((await change(id, { showQuery: true })).body).toMatchObject({ version: 2 });
    const { rows } = await fixture.svc.database.query(
      `select detail from svc.audit_events where event = 'subscriptions.subscription_changed' and subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ detail: { changed: ['showQuery', 'parameters'] } }]);
  });
});

describe('400', () => {
  test.each([
    [{ minimumRowCount: 0 }, '/minimumRowCount'],
    [{ slaHours: 721 }, '/slaHours'],
    [{ notificationTrigger: 'Never' }, '/notificationTrigger'],
    [{ cronExpression: '* * * * *' }, '/cronExpression'],
    [{ timeZone: 'UTC' }, '/timeZone'],
    [{ queryId: 1 }, '/queryId'],
  ])('refuses %o', async (body, member) => {
    const answer = await change(await add(), body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: member }] } });
  });

  test('refuses values that do not fit the parameters of the query', async () => {
    expect((await change(await add(), { parameters: { above: 'many' } })).status).toBe(400);
  });

  test('refuses to remove tasks from a subscription without a recipient', async () => {
    const id = await add({ recipientIds: [], createTasks: true });
    expect(await change(id, { createTasks: false })).toMatchObject({
      status: 400,
      body: { code: 'recipients-required', errors: [{ path: '/createTasks' }] },
    });
    await fixture.root.post(`${path}/${id}/recipients`, { recipientIds: [recipientId] });
    expect((await change(id, { createTasks: false })).status).toBe(200);
  });
});

test('a Viewer gets 403 for a change, and a stranger gets 404', async () => {
  const id = await add();
  expect((await viewer.patch(`${path}/${id}`, { showQuery: true })).status).toBe(403);
  expect((await stranger.patch(`${path}/${id}`, { showQuery: true })).status).toBe(404);
  expect((await change(999_999, { showQuery: true })).status).toBe(404);
});

test('a change of an archived subscription gets 409', async () => {
  const id = await add();
  await fixture.root.delete(`${path}/${id}`);
  expect(await change(id, { showQuery: true })).toMatchObject({
    status: 409,
    body: { code: 'subscription-archived' },
  });
});

test('of several changes to the same version one succeeds, and the others get 412', async () => {
  const id = await add();
  const { headers } = await fixture.root.get(`${path}/${id}`);
  const tag = headers.get('etag') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => change(id, { maxRows: index + 1 }, tag)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
});
