import { addKey } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { expect } from 'vitest';
import {
  applied,
  changesOf,
  edited,
  exported,
  planAndApply,
  planned,
} from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { scenario } from '../support/scenario.ts';

type OnEnd = (close: () => Promise<void>) => void;

const objects = '/svc/api/definitions/objects';
const query = 'projects/shop/queries/orders.yaml';
const subscription = 'projects/shop/subscriptions/orders.yaml';

const begin = async (onEnd: OnEnd, config: Readonly<Record<string, unknown>> = {}) => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, ...config } });
  onEnd(fixture.close);
  const queryId = await fixture.addQuery('select id from orders', { name: 'Orders' });
  const recipientId = await fixture.addRecipient();
  const { id: subscriptionId } = await fixture.addSubscription({ queryId, recipientIds: [recipientId] });
  return { fixture, queryId, recipientId, subscriptionId };
};

const byHand = ({ sourceId }: RunFixture) => ({
  name: 'Orders',
  steps: [{ dataSourceId: sourceId, sql: 'select 7 as n' }],
});
const sqlOf = async ({ root }: RunFixture, id: number): Promise<string> =>
  (await root.get(`/svc/api/queries/${id}`)).body.steps[0].sql;

scenario(
  ['RT-4.3-1005', 'RT-4.3-1010'],
  'a managed record cannot be changed manually by any user or key, only by its own files',
  async ({ onEnd }) => {
    const { fixture, queryId, subscriptionId } = await begin(onEnd);
    const { root, projectId, svc } = fixture;
    const files = await exported(root);
    await planAndApply(root, files, { manager: 'shop-records' });
    expect((await root.get(`${objects}/Query/${queryId}`)).body).toMatchObject({
      manager: 'shop-records',
      isManaged: false,
    });
    expect((await root.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(200);

    await planAndApply(root, files, { manager: 'shop-records', managed: true });
    expect(await sqlOf(fixture, queryId)).toBe('select id from orders');
    expect((await root.get(`${objects}/Query/${queryId}`)).body).toMatchObject({
      manager: 'shop-records',
      isManaged: true,
    });
    const key = await addKey(root, { scopes: ['Execute'], projects: [projectId] });
    const editor = await fixture.person('editor', 'Editor');
    for (const client of [root, editor, svc.client(`Bearer ${key.text}`)]) {
      const { status, body } = await client.put(`/svc/api/queries/${queryId}`, byHand(fixture));
      expect([status, body.code]).toEqual([409, 'managed-from-code']);
      expect(body.detail).toContain('the files of shop-records: change it there and apply them');
      const archived = await client.delete(`/svc/api/subscriptions/${subscriptionId}`);
      expect([archived.status, archived.body.code]).toEqual([409, 'managed-from-code']);
    }
    expect(await sqlOf(fixture, queryId)).toBe('select id from orders');

    // The managing set of files may change the record, here without `managed: true`. The record stays managed.
    const changed = edited(
      edited(files, query, (content) => content.replace('select id', 'select total')),
      subscription,
      (content) => content.replace(/cronExpression: .*/, 'cronExpression: 0 8 * * 1'),
    );
    const results = await planAndApply(root, changed, { manager: 'shop-records' });
    expect(results.filter(({ outcome }) => outcome === 'Done').map(({ path }) => path)).toEqual([
      query,
      subscription,
    ]);
    expect(await sqlOf(fixture, queryId)).toContain('select total');
    expect((await root.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(409);
    const [{ id: replaced }] = (await root.get('/svc/api/subscriptions')).body.items;
    expect(replaced).not.toBe(subscriptionId);
    const again = await root.post(`/svc/api/subscriptions/${replaced}/replace`, {
      cronExpression: '0 9 * * 1',
    });
    expect([again.status, again.body.code]).toEqual([409, 'managed-from-code']);
  },
);

scenario(
  ['RT-4.3-1006'],
  'a managed record can be run, paused, snoozed, moved into a folder and locked manually',
  async ({ onEnd }) => {
    const { fixture, queryId, subscriptionId } = await begin(onEnd);
    const { root, projectId } = fixture;
    const files = await exported(root);
    await planAndApply(root, files, { managed: true });
    const folder = await fixture.make('/svc/api/query-folders', { projectId, name: 'Mine' });
    const subscribed = `/svc/api/subscriptions/${subscriptionId}`;
    for (const [method, path, body] of [
      ['POST', `/svc/api/queries/${queryId}/preview`, {}],
      ['PUT', `/svc/api/queries/${queryId}/folder`, { folderId: folder.id }],
      ['POST', `/svc/api/queries/${queryId}/lock`, { isLocked: true }],
      ['POST', `${subscribed}/test-run`, undefined],
      ['POST', `${subscribed}/pause`, undefined],
      ['POST', `${subscribed}/resume`, undefined],
      ['POST', `${subscribed}/snooze`, { until: null }],
    ] as const) {
      const { status, text } = await root.send(method, path, body);
      expect([path, status < 300 ? 'done' : text]).toEqual([path, 'done']);
    }
    expect(await exported(root)).toEqual(files);
  },
);

scenario(
  ['RT-4.3-1007'],
  'an Admin can release a managed record, which the audit records; an Editor and a key cannot',
  async ({ onEnd }) => {
    const { fixture, queryId } = await begin(onEnd);
    const { root, projectId, svc } = fixture;
    const files = await exported(root);
    await planAndApply(root, files, { managed: true });
    const release = `${objects}/Query/${queryId}/release`;
    const editor = await fixture.person('editor', 'Editor');
    const key = await addKey(root, { scopes: ['Execute'], projects: [projectId] });
    expect((await editor.post(release)).status).toBe(403);
    expect((await svc.client(`Bearer ${key.text}`).post(release)).status).toBe(403);
    expect((await editor.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(409);

    const { status, body } = await root.post(release);
    expect([status, body.isManaged, body.manager]).toEqual([200, false, 'default']);
    expect((await root.post(release)).status).toBe(200);
    expect((await editor.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(200);
    const events = await root.get('/svc/api/mcp/audit?event=definitions.record_released');
    expect(events.body.items).toMatchObject([{ subjectKind: 'query', subjectId: queryId, projectId }]);
    expect((await root.post(`${objects}/Query/999999/release`)).status).toBe(404);

    // The plan of the files reports the change by hand. Applying the plan manages the record again.
    const { steps, planId } = await planned(root, files, { managed: true });
    expect(changesOf(steps)).toEqual([[query, 'Drifted', ['/steps/0/sql']]]);
    await applied(root, planId);
    expect((await editor.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(409);
  },
);

scenario(
  ['RT-4.3-1008', 'RT-4.3-1010'],
  'the next managed apply releases records whose files are gone, no other apply does, and none is deleted',
  async ({ onEnd }) => {
    const { fixture, queryId, subscriptionId } = await begin(onEnd);
    const { root } = fixture;
    const files = await exported(root);
    await planAndApply(root, files, { managed: true });
    const fewer = files.filter(({ path }) => path !== subscription && path !== query);
    const unmanaged = await planned(root, fewer);
    expect(unmanaged.steps.find(({ path }) => path === query)?.reason).toBeNull();
    await applied(root, unmanaged.planId);
    expect((await root.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(409);

    const plan = await planned(root, fewer, { managed: true });
    expect(plan.steps.find(({ path }) => path === query)).toMatchObject({
      action: 'Orphaned',
      reason: expect.stringContaining('gives it back'),
    });
    const results = await applied(root, plan.planId);
    expect(results.filter(({ outcome }) => outcome !== 'Nothing')).toMatchObject([
      { path: subscription, outcome: 'Released' },
      { path: query, outcome: 'Released' },
    ]);
    expect((await root.get(`/svc/api/subscriptions/${subscriptionId}`)).body.state).toBe('Active');
    expect((await root.put(`/svc/api/queries/${queryId}`, byHand(fixture))).status).toBe(200);
    const events = await root.get('/svc/api/mcp/audit?event=definitions.record_released');
    expect(events.body.totalCount).toBe(2);
  },
);

scenario(
  ['RT-4.3-1009', 'RT-4.3-1005'],
  'a record managed by one folder cannot be changed by another, even if it became managed after the plan',
  async ({ onEnd }) => {
    const { fixture, queryId } = await begin(onEnd);
    const { root } = fixture;
    const files = await exported(root);
    const changed = edited(files, query, (content) => content.replace('select id', 'select total'));
    const early = await planned(root, changed, { manager: 'other', managed: true });
    await planAndApply(root, files, { managed: true });
    const results = await applied(root, early.planId);
    expect(results.find(({ path }) => path === query)).toMatchObject({
      outcome: 'Failed',
      code: 'managed-from-code',
    });
    const late = await planned(root, changed, { manager: 'other', managed: true });
    expect(late.steps.find(({ path }) => path === query)).toMatchObject({
      action: 'NotAllowed',
      reason: expect.stringContaining('managed from the files of default'),
    });
    expect(await sqlOf(fixture, queryId)).toBe('select id from orders');
    expect((await root.get(`${objects}/Query/${queryId}`)).body.manager).toBe('default');
  },
);

scenario(
  ['RT-4.3-1005', 'RT-4.3-984'],
  'a change of a managed record that needs approval is submitted from its files and applied after approval',
  async ({ onEnd }) => {
    const { fixture, queryId } = await begin(onEnd);
    const { root } = fixture;
    const files = await exported(root, { kinds: ['Project', 'Query'] });
    const governed = await startRunFixture({
      config: { 'Svc:Jobs:Workers': 0, 'Svc:ApprovalWorkflow:Enabled': true },
    });
    onEnd(governed.close);
    expect(queryId).toBeGreaterThan(0);
    const approver = await governed.person('approver', 'Approver');
    const approve = async () => {
      const { body } = await approver.get('/svc/api/approvals/pending?kind=Query');
      const [first] = body.items as { id: number }[];
      const { approvalHash } = (await approver.get(`/svc/api/approvals/${first?.id}`)).body;
      const answer = await approver.post(`/svc/api/approvals/${first?.id}/approve`, { approvalHash });
      expect(answer.status).toBeLessThan(300);
    };
    const more = { managed: true };
    await planAndApply(governed.root, files, more);
    await approve();
    const [{ id }] = (await governed.root.get('/svc/api/queries')).body.items;
    expect((await governed.root.put(`/svc/api/queries/${id}`, byHand(governed))).status).toBe(409);
    const changed = edited(files, query, (content) => content.replace('select id', 'select total'));
    const results = await planAndApply(governed.root, changed, more);
    expect(results.find(({ path }) => path === query)?.outcome).toBe('AwaitsApproval');
    expect(await sqlOf(governed, id)).toBe('select id from orders');
    await approve();
    expect(await sqlOf(governed, id)).toBe('select total from orders');
    expect(changesOf((await planned(governed.root, changed, more)).steps)).toEqual([]);
  },
);
