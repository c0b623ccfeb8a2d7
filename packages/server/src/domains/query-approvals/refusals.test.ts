import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { startSource } from '@svc/testkit/runs/watch.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const approvals = '/svc/api/approvals';
const missingId = 2_000_000_000;
let fixture: RunFixture;
let root: HttpClient;
let editor: HttpClient;
let other: HttpClient;
let viewer: HttpClient;
let approver: HttpClient;
let reader: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({
    config: {
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversRecipientDestinations': false,
    },
  });
  root = fixture.root;
  editor = await fixture.person('editor', 'Editor');
  other = await fixture.person('other', 'Editor');
  viewer = await fixture.person('viewer', 'Viewer');
  approver = await fixture.person('approver', 'Approver');
  await fixture.person('second', 'Approver');
  reader = await fixture.person('reader', ['Approver', 'Viewer']);
});
afterAll(() => fixture.close());

let count = 0;
const idsSql = 'select id, email, total from orders';

const bodyOf = (sql: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name: `Orders ${count}`,
  steps: [{ dataSourceId: fixture.sourceId, sql }],
  ...more,
});
const create = async (sql = idsSql, more: Readonly<Record<string, unknown>> = {}) => {
  count += 1;
  const body = { projectId: fixture.projectId, ...bodyOf(sql, more) };
  const answer = await editor.post('/svc/api/queries', body);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
};
const save = (id: number, sql: string, more: Readonly<Record<string, unknown>> = {}, client = editor) =>
  client.put(`/svc/api/queries/${id}`, bodyOf(sql, more));
const withdraw = (id: number, versionId: number, client = editor) =>
  client.post(`/svc/api/queries/${id}/versions/${versionId}/withdraw`);
const queryOf = async (id: number) => (await viewer.get(`/svc/api/queries/${id}`)).body;
const look = async (approvalId: number, client = approver) =>
  (await client.get(`${approvals}/${approvalId}`)).body;
const approve = async (approvalId: number, client = approver) =>
  client.post(`${approvals}/${approvalId}/approve`, { approvalHash: (await look(approvalId)).approvalHash });
/** Creates an approved query. */
const approved = async (sql = idsSql, more: Readonly<Record<string, unknown>> = {}) => {
  const query = await create(sql, more);
  const answer = await approve(query.pendingVersion.approvalId);
  expect(answer.status, answer.text).toBe(204);
  return queryOf(query.id);
};
/** Creates an approved query with a waiting change. */
const changed = async (sql: string, from = idsSql) => {
  const query = await approved(from);
  const { body } = await save(query.id, sql, { changeReason: 'Asked for' });
  return { query, approvalId: body.pendingVersion.approvalId as number };
};
const versionsOf = async (id: number) => {
  const { items } = (await viewer.get(`/svc/api/queries/${id}/versions`)).body;
  return items.map(({ versionNumber, status }: { versionNumber: number; status: string }) => [
    versionNumber,
    status,
  ]);
};

describe('400', () => {
  test.each([
    ['approve', {}],
    ['approve', { approvalHash: '' }],
    ['approve', { approvalHash: 'x', force: true }],
    ['reject', {}],
    ['reject', { comment: '  ' }],
    ['compare', { values: {} }],
  ])('%s with %j is refused', async (act, body) => {
    const { approvalId } = await changed('select 1 as n');
    expect((await reader.post(`${approvals}/${approvalId}/${act}`, body)).status).toBe(400);
  });
});

describe('403', () => {
  test('a requester cannot decide the own request, even as an Admin', async () => {
    const query = await approved();
    const saved = await save(query.id, 'select 1 as n', {}, root);
    const { approvalId } = saved.body.pendingVersion;
    expect(await approve(approvalId, root)).toMatchObject({ status: 403, body: { code: 'own-request' } });
    const rejected = await root.post(`${approvals}/${approvalId}/reject`, { comment: 'No.' });
    expect(rejected).toMatchObject({ status: 403, body: { code: 'own-request' } });
    expect((await look(approvalId, root)).isOwn).toBe(true);
    expect(await versionsOf(query.id)).toMatchObject([
      [2, 'PendingApproval'],
      [1, 'Active'],
    ]);
  });
});

describe('403 of withdrawing', () => {
  test('another user cannot withdraw a request, not even an Admin', async () => {
    const { query } = await changed('select 1 as n');
    const { id } = (await queryOf(query.id)).pendingVersion;
    for (const client of [other, root])
      expect(await withdraw(query.id, id, client)).toMatchObject({
        status: 403,
        body: { code: 'not-your-request' },
      });
    expect((await withdraw(query.id, id, viewer)).status).toBe(403);
    expect(await versionsOf(query.id)).toMatchObject([
      [2, 'PendingApproval'],
      [1, 'Active'],
    ]);
  });
});

describe('404', () => {
  test('a version of another query and an unknown version cannot be withdrawn', async () => {
    const { query } = await changed('select 1 as n');
    const { query: elsewhere } = await changed('select 1 as n');
    const { id } = (await queryOf(elsewhere.id)).pendingVersion;
    expect((await withdraw(query.id, id)).status).toBe(404);
    expect((await withdraw(query.id, missingId)).status).toBe(404);
    expect((await withdraw(missingId, id)).status).toBe(404);
  });

  test('a request of another kind and an unknown request do not exist', async () => {
    const { approvalId } = await changed('select 1 as n');
    expect((await approver.get(`${approvals}/changes/${approvalId}`)).status).toBe(404);
    expect((await approver.get(`${approvals}/${missingId}`)).status).toBe(404);
    const body = { approvalHash: 'x', comment: 'No.' };
    expect((await approver.post(`${approvals}/${missingId}/reject`, { comment: 'No.' })).status).toBe(404);
    expect((await approver.post(`${approvals}/${missingId}/approve`, body)).status).toBe(404);
  });

  test('an Approver who cannot read the project cannot compare its rows', async () => {
    const { approvalId } = await changed('select 1 as n');
    expect((await approver.post(`${approvals}/${approvalId}/compare`, {})).status).toBe(404);
    expect((await reader.post(`${approvals}/${approvalId}/compare`, {})).status).toBe(200);
  });
});

describe('409', () => {
  test('no other user can change a query while a change is pending', async () => {
    const { query } = await changed('select 1 as n');
    expect(await save(query.id, 'select 2 as n', {}, other)).toMatchObject({
      status: 409,
      body: { code: 'change-awaiting-approval' },
    });
    const { items } = (await viewer.get(`/svc/api/queries/${query.id}/versions`)).body;
    const restored = await other.post(`/svc/api/query-versions/${items[0].id}/restore`, {});
    expect(restored).toMatchObject({ status: 409, body: { code: 'change-awaiting-approval' } });
    expect(await versionsOf(query.id)).toHaveLength(2);
  });

  test('a request is decided only once, even if two approvers decide at the same time', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const { approvalHash } = await look(approvalId);
    const replica = await startService({
      on: fixture.svc,
      config: { 'Svc:ApprovalWorkflow:Enabled': true, 'Svc:Jobs:Workers': 0 },
    });
    const there = await signIn(replica, 'second');
    const answers = await Promise.all([
      approver.post(`${approvals}/${approvalId}/approve`, { approvalHash }),
      there.post(`${approvals}/${approvalId}/approve`, { approvalHash }),
    ]);
    await replica.close();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('change-over');
    expect(await versionsOf(query.id)).toMatchObject([
      [2, 'Active'],
      [1, 'Archived'],
    ]);
  });

  test('a definition whose data source was unlinked meanwhile cannot be approved', async () => {
    const watched = await startSource();
    const source = await fixture.make('/svc/api/data-sources', {
      name: 'Another',
      engine: 'PostgreSQL',
      connection: watched.connection,
    });
    await root.post(`/svc/api/projects/${fixture.projectId}/data-sources`, { dataSourceId: source.id });
    const query = await approved();
    const steps = [{ dataSourceId: source.id, sql: 'select 1 as n' }];
    const { body } = await save(query.id, '', { steps });
    await fixture.svc.database.query('delete from svc.project_data_sources where data_source_id = $1', [
      source.id,
    ]);
    const { approvalId } = body.pendingVersion;
    expect(await approve(approvalId)).toMatchObject({ status: 409, body: { code: 'source-not-linked' } });
    expect(await reader.post(`${approvals}/${approvalId}/compare`, {})).toMatchObject({
      status: 409,
      body: { code: 'source-not-linked' },
    });
    expect((await queryOf(query.id)).versionNumber).toBe(1);
    await watched.close();
  });

  test('an unapproved query can be previewed by writers, and can neither run nor be subscribed to', async () => {
    const query = await create();
    expect(query).toMatchObject({ versionNumber: null, steps: [{ sql: idsSql }] });
    const path = `/svc/api/queries/${query.id}`;
    expect((await editor.post(`${path}/preview`, {})).status).toBe(200);
    const notApproved = { status: 409, body: { code: 'query-not-approved' } };
    expect(await viewer.post(`${path}/preview`, {})).toMatchObject(notApproved);
    expect(await viewer.post(`${path}/steps/1/preview`, {})).toMatchObject(notApproved);
    expect(await editor.post(`${path}/export`, { format: 'Csv' })).toMatchObject(notApproved);
    const { id: versionId } = query.pendingVersion;
    expect(await viewer.post(`/svc/api/query-versions/${versionId}/preview`, {})).toMatchObject(notApproved);
    expect((await editor.post(`/svc/api/query-versions/${versionId}/preview`, {})).status).toBe(200);
    const subscribed = await editor.post('/svc/api/subscriptions', {
      queryId: query.id,
      cronExpression: '0 0 1 1 *',
      recipientIds: [await fixture.addRecipient()],
    });
    expect(subscribed).toMatchObject(notApproved);
  });

  test('a version that was decided or replaced cannot be withdrawn', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const { id } = (await queryOf(query.id)).pendingVersion;
    const over = { status: 409, body: { code: 'change-over' } };
    const replaced = await save(query.id, 'select 2 as n');
    expect(await withdraw(query.id, id)).toMatchObject(over);
    expect((await queryOf(query.id)).pendingVersion).toMatchObject({ versionNumber: 3 });
    await approver.post(`${approvals}/${approvalId}/reject`, { comment: 'No.' });
    expect(await withdraw(query.id, replaced.body.pendingVersion.id)).toMatchObject(over);
  });

  test('a completed request can be neither decided nor compared', async () => {
    const { approvalId } = await changed('select 1 as n');
    await approver.post(`${approvals}/${approvalId}/reject`, { comment: 'No.' });
    const over = { status: 409, body: { code: 'change-over' } };
    expect(await approver.post(`${approvals}/${approvalId}/reject`, { comment: 'No.' })).toMatchObject(over);
    expect(await approver.post(`${approvals}/${approvalId}/approve`, { approvalHash: 'x' })).toMatchObject(
      over,
    );
    expect(await reader.post(`${approvals}/${approvalId}/compare`, {})).toMatchObject(over);
  });
});
