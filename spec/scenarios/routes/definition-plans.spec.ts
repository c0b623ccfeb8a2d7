import { addKey } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import {
  applied,
  changesOf,
  edited,
  exported,
  planAndApply,
  planned,
} from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { begin, beginSmall } from '../support/definition-fixture.ts';
import { scenario } from '../support/scenario.ts';

const definitions = '/svc/api/definitions';
const query = 'projects/shop/queries/orders.yaml';
const subscription = 'projects/shop/subscriptions/orders.yaml';

scenario(
  ['RT-4.3-984'],
  'a change that needs approval is submitted as a request, shown as waiting, and not applied',
  async ({ onEnd }) => {
    const { fixture } = await beginSmall(onEnd);
    const { root } = fixture;
    const files = await exported(root, { kinds: ['Project', 'Query'] });
    const governed = await begin(onEnd, { 'Svc:ApprovalWorkflow:Enabled': true });
    const saved = await governed.root.post('/svc/api/queries', {
      projectId: governed.projectId,
      name: 'Orders',
      steps: [{ dataSourceId: governed.sourceId, sql: 'select id from orders' }],
    });
    const queryId = saved.body.id;
    const approver = await governed.person('approver', 'Approver');
    const { body: waiting } = await approver.get('/svc/api/approvals/pending?kind=Query');
    const [first] = waiting.items as { id: number }[];
    const { approvalHash } = (await approver.get(`/svc/api/approvals/${first?.id}`)).body;
    await approver.post(`/svc/api/approvals/${first?.id}/approve`, { approvalHash });

    const changed = edited(files, query, (content) => content.replace('select id', 'select total'));
    const plan = await planned(governed.root, changed);
    expect(plan.steps.find(({ path }) => path === query)).toMatchObject({
      action: 'Update',
      needsApproval: true,
    });
    const results = await applied(governed.root, plan.planId);
    expect(results.find(({ path }) => path === query)?.outcome).toBe('AwaitsApproval');
    const { body } = await governed.root.get(`/svc/api/queries/${queryId}`);
    expect([body.steps[0].sql, body.pendingVersion.versionNumber]).toEqual(['select id from orders', 2]);
    const again = await planned(governed.root, changed);
    expect(changesOf(again.steps)).toEqual([[query, 'AwaitsApproval', ['/steps/0/sql']]]);
    expect((await approver.get('/svc/api/approvals/pending?kind=Query')).body.items).toHaveLength(1);

    const subscribed = [
      ...changed,
      { path: subscription, content: 'query: new-one\ncronExpression: 0 8 * * *\ncreateTasks: true\n' },
      {
        path: 'projects/shop/queries/new-one.yaml',
        content: 'name: New one\nsteps:\n  - { dataSource: the-watched-source, sql: select 1 as n }\n',
      },
    ];
    const outcomes = await planAndApply(governed.root, subscribed);
    expect(
      outcomes.filter(({ outcome }) => outcome !== 'Nothing').map(({ path, outcome }) => [path, outcome]),
    ).toEqual([
      ['projects/shop/queries/new-one.yaml', 'AwaitsApproval'],
      [query, 'AwaitsApproval'],
      [subscription, 'AwaitsApproval'],
    ]);
    expect((await governed.root.get('/svc/api/subscriptions')).body.items).toEqual([]);

    const hook = {
      path: 'recipients/ops.yaml',
      content: 'name: Ops\nnotificationType: Webhook\ndestination: { secret: OPS }\n',
    };
    const filed = async (place: string) => {
      const secrets = { OPS: governed.sink.urlOf(place) };
      const results = await planAndApply(governed.root, [hook], { manager: 'hooks', secrets });
      expect(results.map(({ outcome }) => outcome)).toEqual(['AwaitsApproval']);
      return (await approver.get('/svc/api/approvals/pending?kind=Recipient')).body.items;
    };
    const made = await filed('/ops');
    expect(made).toMatchObject([{ targetName: 'Ops', isNew: true }]);
    const change = `/svc/api/approvals/changes/${made[0].id}`;
    const { changeHash } = (await approver.get(change)).body;
    const decided = await approver.post(`${change}/approve`, { changeHash, comment: 'Asked.' });
    expect(decided.status, decided.text).toBeLessThan(300);
    expect(await filed('/elsewhere')).toMatchObject([
      { targetName: 'Ops', isNew: false, changedParts: ['Destination'] },
    ]);
  },
);

scenario(
  ['RT-4.3-985'],
  'a key applies changes of its project’s records, and every other step is reported as not allowed',
  async ({ onEnd }) => {
    const { fixture, queryId, recipientId } = await beginSmall(onEnd);
    const { root, svc, projectId, make } = fixture;
    await fixture.addSubscription({ queryId, recipientIds: [recipientId] });
    const other = await make('/svc/api/projects', { name: 'Other' });
    await make('/svc/api/queries', { projectId: other.id, name: 'Hidden', steps: [] });
    const key = await addKey(root, { scopes: ['Execute'], projects: [projectId] });
    const caller = svc.client(`Bearer ${key.text}`);
    const all = await exported(root);
    const { body } = await caller.post(`${definitions}/export`, {});
    const own = body.files.map(({ path }: { path: string }) => path);
    expect(own).toEqual(['projects/shop/project.yaml', query, subscription]);
    expect(body.omitted.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'DataSource',
      'Recipient',
    ]);
    const foreign = all.filter(({ path }) => path.startsWith('projects/other/'));
    const refused = await caller.post(`${definitions}/plan`, {
      files: foreign.filter(({ path }) => path.includes('/queries/')),
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'unknown-reference']);

    const changed = edited(
      edited(
        all.filter((file) => !foreign.includes(file)),
        query,
        (content) => content.replace('select id', 'select total'),
      ),
      'projects/shop/project.yaml',
      (content) => content.replace('For a scenario.', 'By a key'),
    );
    const withNew = [
      ...changed,
      {
        path: 'recipients/mine.yaml',
        content: 'name: Mine\nnotificationType: Webhook\ndestination: { secret: MINE }\n',
      },
    ];
    const plan = await planned(caller, withNew);
    expect(plan.steps.map(({ path, action }) => [path, action])).toEqual([
      ['data-sources/the-watched-source.yaml', 'NotAllowed'],
      ['recipients/mine.yaml', 'NotAllowed'],
      [all.find(({ path }) => path.startsWith('recipients/'))?.path, 'NotAllowed'],
      ['projects/shop/project.yaml', 'NotAllowed'],
      [query, 'Update'],
      [subscription, 'Unchanged'],
    ]);
    const results = await applied(caller, plan.planId);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'NotAllowed',
      'NotAllowed',
      'NotAllowed',
      'NotAllowed',
      'Done',
      'Nothing',
    ]);
    expect((await root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toContain('select total');
    expect((await root.get(`/svc/api/projects/${projectId}`)).body.description).toBe('For a scenario.');
    const reading = await addKey(root, { scopes: ['Read'], projects: [projectId], name: 'Reading' });
    const denied = await svc.client(`Bearer ${reading.text}`).post(`${definitions}/plan`, { files: [] });
    expect([denied.status, denied.body.code]).toEqual([403, 'execute-scope-required']);
  },
);

scenario(
  ['RT-4.3-987'],
  'a plan can be applied once, and only by the user who created it',
  async ({ onEnd }) => {
    const { fixture } = await beginSmall(onEnd);
    const { root } = fixture;
    const editor = await fixture.person('editor', 'Editor');
    const files = [{ path: 'projects/twice/project.yaml', content: 'name: Twice\n' }];
    const { planId } = await planned(root, files);
    expect((await editor.post(`${definitions}/apply`, { planId })).status).toBe(404);
    const both = await Promise.all([1, 2].map(() => root.post(`${definitions}/apply`, { planId })));
    expect(both.map(({ status, body }) => [status, body.code]).toSorted()).toEqual([
      [200, undefined],
      [409, 'plan-applied'],
    ]);
    const { body } = await root.get('/svc/api/projects?search=Twice');
    expect(body.totalCount).toBe(1);
  },
);

scenario(
  ['RT-4.3-988'],
  'records whose files are gone are reported, deleted only with prune, and in large numbers only by force',
  async ({ onEnd }) => {
    const { fixture, queryId, recipientId } = await beginSmall(onEnd);
    const { root } = fixture;
    const { id } = await fixture.addSubscription({ queryId, recipientIds: [recipientId] });
    const files = await exported(root);
    await planAndApply(root, files);
    const fewer = files.filter(({ path }) => path !== subscription && path !== query);
    const kept = await planned(root, fewer);
    expect(changesOf(kept.steps)).toEqual([
      [subscription, 'Orphaned', []],
      [query, 'Orphaned', []],
    ]);
    await applied(root, kept.planId);
    expect((await root.get(`/svc/api/subscriptions/${id}`)).body.state).toBe('Active');
    const others = await planned(root, [], { manager: 'others', prune: true });
    expect(others.steps).toEqual([]);
    const pruned = await planned(root, fewer, { prune: true });
    expect(changesOf(pruned.steps)).toEqual([
      [subscription, 'Delete', []],
      [query, 'NotDeletable', []],
    ]);
    await applied(root, pruned.planId);
    expect((await root.get(`/svc/api/subscriptions/${id}`)).body.state).toBe('Archived');

    const nothing = await planned(root, [], { prune: true });
    const refused = await root.post(`${definitions}/apply`, { planId: nothing.planId });
    expect([refused.status, refused.body.code]).toEqual([409, 'too-many-deletions']);
    const forced = await applied(root, nothing.planId, { force: true });
    expect(forced.map(({ outcome }) => outcome)).toEqual(['Done', 'Done', 'Done', 'Done']);
    expect(await exported(root)).toEqual([]);
  },
);

scenario(
  ['RT-4.3-992'],
  'a failed step stops only the steps that depend on it, and the next apply completes them',
  async ({ onEnd }) => {
    const { fixture } = await beginSmall(onEnd);
    const { root } = fixture;
    const files = [
      ...(await exported(root)),
      {
        path: 'recipients/late.yaml',
        content: 'name: Late\nnotificationType: Webhook\ndestination: { secret: LATE }\n',
      },
      { path: subscription, content: 'query: orders\ncronExpression: 0 8 * * *\nrecipients: [late]\n' },
      {
        path: 'projects/shop/queries/second.yaml',
        content: 'name: Second\nsteps: [{ dataSource: the-watched-source, sql: select 1 as n }]\n',
      },
    ];
    const first = await planAndApply(root, files);
    expect(
      first
        .filter(({ outcome }) => outcome !== 'Nothing')
        .map(({ path, outcome, code }) => [path, outcome, code]),
    ).toEqual([
      ['recipients/late.yaml', 'Failed', 'secret-missing'],
      ['projects/shop/queries/second.yaml', 'Done', null],
      [subscription, 'Skipped', null],
    ]);
    const again = await planAndApply(root, files, { secrets: { LATE: fixture.sink.urlOf('/late') } });
    expect(
      again.filter(({ outcome }) => outcome !== 'Nothing').map(({ path, outcome }) => [path, outcome]),
    ).toEqual([
      ['recipients/late.yaml', 'Done'],
      [subscription, 'Done'],
    ]);
  },
);
