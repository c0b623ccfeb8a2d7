import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const approvals = '/svc/api/approvals';
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

describe('202', () => {
  test('a save does not change the active query, and returns the pending version', async () => {
    const query = await approved();
    const saved = await save(query.id, 'select 1 as n', { changeReason: 'Asked for' });
    expect(saved).toMatchObject({
      status: 202,
      body: {
        version: query.version,
        versionNumber: 1,
        steps: [{ sql: idsSql }],
        pendingVersion: { versionNumber: 2, requestedByUserName: 'editor', isOwn: true },
      },
    });
    expect(saved.headers.get('etag')).toBe(`"${query.version}"`);
    expect(await versionsOf(query.id)).toEqual([
      [2, 'PendingApproval'],
      [1, 'Active'],
    ]);
    const preview = await viewer.post(`/svc/api/queries/${query.id}/preview`, {});
    expect(preview.body).toMatchObject({ versionNumber: 1, totalCount: 3 });
  });

  test('a second save of the requester replaces the pending version within the same request', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const first = await look(approvalId);
    const again = await save(query.id, 'select 2 as n');
    expect(again).toMatchObject({ status: 202, body: { pendingVersion: { approvalId, versionNumber: 3 } } });
    expect(await versionsOf(query.id)).toEqual([
      [3, 'PendingApproval'],
      [2, 'Withdrawn'],
      [1, 'Active'],
    ]);
    const stale = { approvalHash: first.approvalHash };
    expect(await approver.post(`${approvals}/${approvalId}/approve`, stale)).toMatchObject({
      status: 409,
      body: { code: 'change-stale' },
    });
    // The keys make both definitions equal, so the change is not submitted twice.
    const { steps } = (await look(approvalId)).proposed;
    const same = await save(query.id, 'select 2 as n', { steps: steps.map(stepInput) });
    expect(same.status).toBe(202);
    expect(await versionsOf(query.id)).toHaveLength(3);
  });

  test('restoring a version also needs approval', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    await approve(approvalId);
    const { items } = (await viewer.get(`/svc/api/queries/${query.id}/versions`)).body;
    const restored = await editor.post(`/svc/api/query-versions/${items[1].id}/restore`, {
      changeReason: 'It was right before',
    });
    expect(restored).toMatchObject({
      status: 202,
      body: { versionNumber: 2, pendingVersion: { versionNumber: 3 } },
    });
    expect(await look(restored.body.pendingVersion.approvalId)).toMatchObject({
      changeSource: 'Restore',
      changeReason: 'It was right before',
    });
  });
});

const stepInput = ({ key, name, description, dataSourceId, sql }: Record<string, unknown>) => ({
  key,
  name,
  description,
  dataSourceId,
  sql,
});

describe('200', () => {
  test('saving the active definition withdraws the pending version; a save by another user changes nothing', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const same = await save(query.id, idsSql, { name: query.name }, other);
    expect(same).toMatchObject({ status: 200, body: { pendingVersion: { approvalId } } });
    const back = await save(query.id, idsSql, { name: query.name });
    expect(back).toMatchObject({ status: 200, body: { version: query.version, pendingVersion: null } });
    expect(await look(approvalId)).toMatchObject({ status: 'Withdrawn', approvalHash: null });
    expect(await versionsOf(query.id)).toEqual([
      [2, 'Withdrawn'],
      [1, 'Active'],
    ]);
  });

  test('withdrawing the own version does not change the active version, and another user may then save', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const { pendingVersion } = (await other.get(`/svc/api/queries/${query.id}`)).body;
    expect(pendingVersion).toMatchObject({ approvalId, isOwn: false });
    const withdrawn = await withdraw(query.id, pendingVersion.id);
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { version: query.version, versionNumber: 1, steps: [{ sql: idsSql }], pendingVersion: null },
    });
    expect(await look(approvalId)).toMatchObject({ status: 'Withdrawn', approvalHash: null });
    expect(await versionsOf(query.id)).toEqual([
      [2, 'Withdrawn'],
      [1, 'Active'],
    ]);
    const audited = await fixture.svc.database.query(
      `select detail->>'reason' as reason from svc.audit_events
       where event = 'approvals.change_withdrawn' and subject_id = $1`,
      [approvalId],
    );
    expect(audited.rows).toEqual([{ reason: 'Withdrawn' }]);
    expect((await save(query.id, 'select 3 as n', {}, other)).status).toBe(202);
  });

  test('a new query whose only version was withdrawn is submitted again by the same save', async () => {
    const query = await create();
    const withdrawn = await withdraw(query.id, query.pendingVersion.id);
    expect(withdrawn).toMatchObject({ status: 200, body: { versionNumber: null, pendingVersion: null } });
    const again = await save(query.id, idsSql, { name: query.name });
    expect(again).toMatchObject({ status: 202, body: { pendingVersion: { versionNumber: 2, isOwn: true } } });
  });

  test('restoring the active version withdraws the pending version', async () => {
    const { query } = await changed('select 1 as n');
    const { items } = (await viewer.get(`/svc/api/queries/${query.id}/versions`)).body;
    const path = `/svc/api/query-versions/${items[1].id}/restore`;
    expect(await editor.post(path, {})).toMatchObject({ status: 200, body: { pendingVersion: null } });
    expect(await editor.post(path, {})).toMatchObject({ status: 409, body: { code: 'already-active' } });
  });

  test('one list contains the pending requests, for an Approver who cannot read any project', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const pending = await approver.get(`${approvals}/pending?search=${encodeURIComponent(query.name)}`);
    expect(pending.body).toMatchObject({
      totalCount: 1,
      items: [
        {
          id: approvalId,
          kind: 'Query',
          targetId: query.id,
          targetName: query.name,
          isNew: false,
          changedParts: ['Step'],
          requestedByUserName: 'editor',
          isOwn: false,
          status: 'Pending',
        },
      ],
    });
    await approve(approvalId);
    expect((await approver.get(`${approvals}/pending?kind=Query&search=${query.name}`)).body.totalCount).toBe(
      0,
    );
    const all = await approver.get(`${approvals}/changes?kind=Query&search=${query.name}`);
    expect(all.body.items.map(({ status }: { status: string }) => status)).toEqual(['Approved', 'Approved']);
    expect((await approver.get(`${approvals}/changes?kind=Recipient`)).body.totalCount).toBe(0);
  });

  test('the request contains both definitions, the differences, the reason, and the affected subscriptions', async () => {
    const query = await approved();
    const recipientIds = [await fixture.addRecipient(), await fixture.addRecipient()];
    await fixture.addSubscription({ queryId: query.id, recipientIds });
    const saved = await save(query.id, 'select 1 as n', { changeReason: 'Asked for' });
    const shown = await look(saved.body.pendingVersion.approvalId);
    expect(shown).toMatchObject({
      targetId: query.id,
      projectId: fixture.projectId,
      changeReason: 'Asked for',
      canCompare: false,
      proposed: { versionNumber: 2, steps: [{ sql: 'select 1 as n', isSourceLinked: true }] },
      active: { versionNumber: 1, steps: [{ sql: idsSql }] },
      parts: [{ part: 'Step', change: 'Changed', before: { sql: idsSql }, after: { sql: 'select 1 as n' } }],
      usedBy: {
        subscriptionCount: 1,
        recipientCount: 2,
        subscriptions: [{ recipientNames: [expect.any(String), expect.any(String)] }],
      },
    });
    const path = `/svc/api/queries/${query.id}`;
    expect((await root.get(path)).body.subscriptionCount).toBe(1);
  });

  test('the comparison contains added, removed and changed rows, and counts a change of a masked value', async () => {
    const people = (ids: string, email: string) =>
      `select o.id, ${email} as email, o.total from orders o, generate_series(1, 3) g where o.id = g and g in (${ids})`;
    const { approvalId } = await changed(
      people('1, 2', "case o.id when 1 then 'other@example.org' else o.email end"),
      people('1, 2, 3', 'o.email'),
    );
    const { body } = await reader.post(`${approvals}/${approvalId}/compare`, {});
    expect(body).toMatchObject({
      before: { totalCount: 3, isComplete: true },
      after: { totalCount: 2, isComplete: true },
      columns: [
        { name: 'id', isKey: true, isMasked: false, change: null },
        { name: 'email', isKey: false, isMasked: true },
        { name: 'total', isKey: false, isMasked: false },
      ],
      unchangedCount: 1,
      addedCount: 0,
      removedCount: 1,
      changedCount: 1,
    });
    expect(body.removed[0][0]).toBe(3);
    expect(body.changed[0].before[0]).toBe(1);
    expect(JSON.stringify(body)).not.toContain('@example.org');
  });

  test('added, removed and retyped columns are reported', async () => {
    const { approvalId } = await changed(`select id, total::int as total, 'x' as more from orders`);
    const { body } = await reader.post(`${approvals}/${approvalId}/compare`, {});
    expect(body.columns).toEqual([
      { name: 'id', change: null, isMasked: false, isKey: true },
      { name: 'total', change: 'Retyped', isMasked: false, isKey: false },
      { name: 'more', change: 'Added', isMasked: false, isKey: false },
      { name: 'email', change: 'Removed', isMasked: true, isKey: false },
    ]);
  });

  test('a new query has no earlier result: all of its rows count as added', async () => {
    const { pendingVersion } = await create();
    const { body } = await reader.post(`${approvals}/${pendingVersion.approvalId}/compare`, {});
    expect(body).toMatchObject({ before: null, addedCount: 3, removedCount: 0, changedCount: 0 });
  });
});

describe('204', () => {
  test('an approved version is active immediately, and the version list names the approver', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const { approvalHash } = await look(approvalId);
    const answer = await approver.post(`${approvals}/${approvalId}/approve`, {
      approvalHash,
      comment: 'Looked at it.',
    });
    expect(answer.status).toBe(204);
    expect(await queryOf(query.id)).toMatchObject({
      version: query.version + 1,
      versionNumber: 2,
      pendingVersion: null,
      steps: [{ sql: 'select 1 as n', key: query.steps[0].key, id: query.steps[0].id }],
    });
    const { items } = (await viewer.get(`/svc/api/queries/${query.id}/versions`)).body;
    expect(items[0]).toMatchObject({
      status: 'Active',
      createdByUserName: 'editor',
      changeReason: 'Asked for',
      decidedByUserName: 'approver',
      decisionComment: 'Looked at it.',
    });
    const history = (await viewer.get(`/svc/api/queries/${query.id}/change-history`)).body;
    expect(history.items[0]).toMatchObject({ byUserName: 'editor', decidedByUserName: 'approver' });
    expect(await look(approvalId)).toMatchObject({
      status: 'Approved',
      approvalHash: null,
      decidedByUserName: 'approver',
      active: { versionNumber: 1 },
      proposed: { versionNumber: 2 },
    });
  });

  test('a rejected version changes nothing, and stores the reason', async () => {
    const { query, approvalId } = await changed('select 1 as n');
    const answer = await approver.post(`${approvals}/${approvalId}/reject`, { comment: 'Too slow.' });
    expect(answer.status).toBe(204);
    expect(await queryOf(query.id)).toMatchObject({ versionNumber: 1, pendingVersion: null });
    expect(await versionsOf(query.id)).toEqual([
      [2, 'Rejected'],
      [1, 'Active'],
    ]);
    expect(await look(approvalId)).toMatchObject({ status: 'Rejected', comment: 'Too slow.' });
    expect((await save(query.id, 'select 3 as n', {}, other)).status).toBe(202);
  });
});
