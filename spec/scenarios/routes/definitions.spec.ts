import { expect } from 'vitest';
import {
  applied,
  changesOf,
  edited,
  exported,
  makeEveryKind,
  planAndApply,
  planned,
  planted,
  secretValues,
  wipe,
} from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { begin, beginSmall } from '../support/definition-fixture.ts';
import { scenario } from '../support/scenario.ts';

const definitions = '/svc/api/definitions';
const query = 'projects/shop/queries/orders.yaml';
const subscription = 'projects/shop/subscriptions/orders.yaml';

scenario(
  ['RT-4.3-980', 'RT-4.3-981', 'RT-4.3-990', 'RT-4.3-982'],
  'all records that are exported, deleted and applied again produce identical files without secrets',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd);
    const { root } = fixture;
    await makeEveryKind(fixture);
    const before = await exported(root);
    expect(before.map(({ path }) => path)).toEqual([
      'data-sources/the-watched-source.yaml',
      'projects/shop/contracts/orders.yaml',
      'projects/shop/project.yaml',
      'projects/shop/queries/spate-orders-late-1-2.yaml',
      'projects/shop/queries/spate-orders-late-1.yaml',
      'projects/shop/subscriptions/spate-orders-late-1-2.yaml',
      'projects/shop/subscriptions/spate-orders-late-1.yaml',
      'recipients/ops-chat-second.yaml',
      'recipients/ops-chat.yaml',
    ]);
    const text = before.map(({ content }) => content).join('\n');
    expect(text).not.toMatch(/^\s*(id|version|createdTime|updatedAt):/m);
    expect(text).not.toContain('isEnabled: true');
    expect(before.find(({ path }) => path === 'recipients/ops-chat-second.yaml')?.content).toBe(
      [
        '$schema: urn:svc:definition:v1:recipient',
        'name: Ops chat, second',
        'notificationType: Webhook',
        'destination:',
        '  secret: OPS_CHAT_SECOND_DESTINATION',
        '',
      ].join('\n'),
    );
    const unchanged = await planned(root, before);
    expect(changesOf(unchanged.steps)).toEqual([]);

    await wipe(fixture);
    expect(await exported(root)).toEqual([]);
    const secrets = secretValues(fixture);
    const plan = await planned(root, before, { secrets });
    expect(plan.steps.map(({ action }) => action)).toEqual(before.map(() => 'Create'));
    expect(plan.steps.find(({ path }) => path === 'recipients/ops-chat.yaml')?.needsSecrets).toEqual([
      'OPS_CHAT_DESTINATION',
      'OPS_CHAT_AUTHORIZATION',
    ]);
    expect(await exported(root)).toEqual([]);
    const results = await applied(root, plan.planId, { secrets });
    expect(results.filter(({ outcome }) => outcome !== 'Done')).toEqual([]);

    const after = await exported(root);
    expect(after).toEqual(before);
    const again = await planned(root, after, { secrets });
    expect(changesOf(again.steps)).toEqual([]);
    expect(JSON.stringify([before, plan, results, again])).not.toContain(planted);
    const [kept] = await fixture.svc.sql<{ text: string }>(
      `select concat((select json_agg(m) from svc.managed_objects m), (select json_agg(p) from svc.definition_plans p)) as text`,
    );
    expect(kept?.text).toContain('OPS_CHAT_DESTINATION');
    expect(kept?.text).not.toContain(planted);
    const rotated = { ...secrets, OPS_CHAT_DESTINATION: fixture.sink.urlOf('/elsewhere') };
    const rotation = await planned(root, after, { secrets: rotated });
    expect(changesOf(rotation.steps)).toEqual([['recipients/ops-chat.yaml', 'Update', ['/destination']]]);
  },
);

scenario(
  ['RT-4.3-982', 'RT-4.3-983'],
  'a manual change is reported as drift by member, and the next apply reverts it',
  async ({ onEnd }) => {
    const { fixture, queryId } = await beginSmall(onEnd);
    const { root, projectId } = fixture;
    const files = await exported(root);
    await planAndApply(root, files);
    await root.patch(`/svc/api/projects/${projectId}`, { description: 'By hand' });
    const { steps } = await planned(root, files);
    expect(changesOf(steps)).toEqual([['projects/shop/project.yaml', 'Drifted', ['/description']]]);
    const changed = edited(files, query, (content) => content.replace('select id', 'select total'));
    const plan = await planned(root, changed);
    expect(changesOf(plan.steps)).toEqual([
      ['projects/shop/project.yaml', 'Drifted', ['/description']],
      [query, 'Update', ['/steps/0/sql']],
    ]);
    expect((await root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toContain('select id');
    await applied(root, plan.planId);
    expect((await root.get(`/svc/api/projects/${projectId}`)).body.description).toBe('For a scenario.');
    expect((await root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toContain('select total');
    expect(changesOf((await planned(root, changed)).steps)).toEqual([]);
  },
);

scenario(
  ['RT-4.3-986'],
  'a new schedule replaces the subscription under the same slug, and its history remains with the earlier one',
  async ({ onEnd }) => {
    const { fixture, queryId, recipientId } = await beginSmall(onEnd);
    const { root } = fixture;
    const old = await fixture.addSubscription({ queryId, recipientIds: [recipientId], maxRows: 7 });
    const files = await exported(root);
    const changed = edited(files, subscription, (content) =>
      content.replace(/cronExpression: .*/, 'cronExpression: 0 8 * * 1').replace('maxRows: 7', 'maxRows: 8'),
    );
    const plan = await planned(root, changed);
    expect(changesOf(plan.steps)).toEqual([[subscription, 'Replace', ['/cronExpression', '/maxRows']]]);
    expect((await applied(root, plan.planId)).at(-1)?.outcome).toBe('Done');
    const { body } = await root.get('/svc/api/subscriptions');
    expect(body.items).toMatchObject([
      { schedule: { cronExpression: '0 8 * * 1' }, maxRows: 8, state: 'Active' },
    ]);
    expect(body.items[0].id).not.toBe(old.id);
    expect((await root.get(`/svc/api/subscriptions/${old.id}`)).body.state).toBe('Archived');
    expect(changesOf((await planned(root, changed)).steps)).toEqual([]);
    const stored = await root.get(`${definitions}/objects/Subscription/${body.items[0].id}`);
    expect(stored.body).toMatchObject({ slug: 'orders', manager: 'default' });
    // A replacement on the pages transfers the slug as well.
    const next = await root.post(`/svc/api/subscriptions/${body.items[0].id}/replace`, {
      cronExpression: '0 9 * * 1',
    });
    const { steps } = await planned(root, changed);
    expect(changesOf(steps)).toEqual([[subscription, 'Replace', ['/cronExpression']]]);
    expect((await root.get(`${definitions}/objects/Subscription/${next.body.id}`)).body.slug).toBe('orders');

    const elsewhere = edited(changed, subscription, (content) =>
      content.replace('0 8 * * 1', '0 9 * * 1').replace(/timeZone: .*/, 'timeZone: Asia/Tokyo'),
    );
    const zoned = await planned(root, elsewhere);
    expect(changesOf(zoned.steps)).toEqual([[subscription, 'Replace', ['/timeZone']]]);
    await applied(root, zoned.planId);
    const { items } = (await root.get('/svc/api/subscriptions')).body;
    expect(items).toMatchObject([{ schedule: { cronExpression: '0 9 * * 1', timeZone: 'Asia/Tokyo' } }]);
    expect((await root.get(`${definitions}/objects/Subscription/${items[0].id}`)).body.slug).toBe('orders');
    expect((await root.get(`/svc/api/subscriptions/${next.body.id}`)).body.state).toBe('Archived');
  },
);

scenario(
  ['RT-4.3-989'],
  'an invalid file is refused with the name of the file and the member',
  async ({ root }) => {
    const { status, body } = await root.post(`${definitions}/plan`, {
      files: [
        { path: 'projects/shop/project.yaml', content: 'name: Shop\nowner: me\n' },
        { path: 'projects/shop/queries/q.yaml', content: 'name: 7\n' },
        { path: 'notes.txt', content: 'hello' },
      ],
    });
    expect([status, body.code]).toEqual([400, 'invalid-definition']);
    expect(body.errors).toEqual([
      { path: 'projects/shop/project.yaml#/owner', message: 'is not known here' },
      { path: 'projects/shop/queries/q.yaml#/name', message: 'must be string' },
      { path: 'notes.txt', message: 'is no place of a definition' },
    ]);
  },
);

scenario(
  ['RT-4.3-991'],
  'a slug does not change with the name, and can be changed by PATCH',
  async ({ onEnd }) => {
    const { fixture, queryId } = await beginSmall(onEnd);
    const { root, projectId } = fixture;
    const object = `${definitions}/objects/Query/${queryId}`;
    expect((await root.get(object)).body).toEqual({
      kind: 'Query',
      id: queryId,
      slug: 'orders',
      manager: null,
      appliedAt: null,
      isManaged: false,
    });
    const { body } = await root.get(`/svc/api/queries/${queryId}`);
    await root.put(`/svc/api/queries/${queryId}`, {
      name: 'Late ones',
      steps: body.steps.map(({ sql, dataSourceId }: { sql: string; dataSourceId: number }) => ({
        sql,
        dataSourceId,
      })),
    });
    expect((await root.get(object)).body.slug).toBe('orders');
    await fixture.make('/svc/api/queries', { projectId, name: 'Other', steps: [] });
    await exported(root);
    const taken = await root.patch(object, { slug: 'other' });
    expect([taken.status, taken.body.code]).toEqual([409, 'slug-taken']);
    expect((await root.patch(object, { slug: 'late' })).body.slug).toBe('late');
    expect((await exported(root, { kinds: ['Query'] })).map(({ path }) => path)).toEqual([
      'projects/shop/queries/late.yaml',
      'projects/shop/queries/other.yaml',
    ]);
  },
);
