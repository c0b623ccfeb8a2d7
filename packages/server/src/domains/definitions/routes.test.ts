import { definitionKinds } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesOf, exported, planAndApply, planned } from './testing/records.ts';

const path = '/svc/api/definitions';
let fixture: RunFixture;
let viewer: HttpClient;
let editor: HttpClient;
let queryId: number;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  viewer = await fixture.person('viewer', 'Viewer');
  editor = await fixture.person('editor', 'Editor');
  queryId = await fixture.addQuery('select id from orders', { name: 'Orders' });
});
afterAll(() => fixture.close());

const project = (slug: string, text: string) => ({ path: `projects/${slug}/project.yaml`, content: text });
const query = (text: string, slug = 'orders') => ({
  path: `projects/shop/queries/${slug}.yaml`,
  content: text,
});
describe('status 200', () => {
  test('each kind has a schema that names the format of its files and allows no other member', async () => {
    const { body } = await viewer.get(`${path}/schema`);
    expect(Object.keys(body.schemas).toSorted()).toEqual(definitionKinds.toSorted());
    expect(body.schemas.DataSource).toMatchObject({
      $id: 'urn:svc:definition:v1:data-source',
      additionalProperties: false,
      required: ['name', 'engine', 'connection'],
    });
  });

  test('an export contains the readable records, and lists the omitted records with the reason', async () => {
    const recipientId = await fixture.addRecipient();
    const { status, body } = await viewer.post(`${path}/export`, { kinds: ['Recipient', 'Query'] });
    expect([status, body.files.map((file: { path: string }) => file.path)]).toEqual([
      200,
      ['projects/shop/queries/orders.yaml'],
    ]);
    expect(body.omitted).toMatchObject([{ kind: 'Recipient', project: null }]);
    expect(body.omitted[0].reason).toContain('SecurityAdmin');
    await fixture.root.delete(`/svc/api/recipients/${recipientId}`);
  });

  test('SQL can be in a file next to the query, and a definition can be JSON', async () => {
    const files = [
      query(
        '{"name": "From a file", "steps": [{"dataSource": "the-watched-source", "sql": {"file": "a.sql"}}]}',
        'file',
      ),
      { path: 'projects/shop/queries/a.sql', content: '-- why\nselect 1 as n\n' },
    ];
    const results = await planAndApply(editor, files);
    expect(results).toMatchObject([{ outcome: 'Done' }]);
    const made = (await exported(fixture.root)).find((file) => file.path.endsWith('/file.yaml'));
    expect(made?.content).toContain('sql: |\n      -- why\n      select 1 as n\n');
  });

  test('an Editor can create a project with its queries in one plan, but cannot restrict it', async () => {
    const files = [
      project('mine', 'name: Mine\ndataSources: [the-watched-source]\n'),
      {
        path: 'projects/mine/queries/q.yaml',
        content: 'name: Q\nsteps: [{ dataSource: the-watched-source, sql: select 1 as n }]\n',
      },
    ];
    const results = await planAndApply(editor, files, { manager: 'mine' });
    expect(results.map(({ outcome }) => outcome)).toEqual(['Done', 'Done']);
    const restricted = [project('closed', 'name: Closed\naccessMode: Restricted\n')];
    const { steps } = await planned(editor, restricted, { manager: 'closed' });
    expect(steps).toMatchObject([{ action: 'NotAllowed', reason: expect.stringContaining('UserAdmin') }]);
    await planAndApply(fixture.root, restricted);
    const { body } = await fixture.root.get('/svc/api/projects?search=Closed');
    expect(body.items).toMatchObject([{ accessMode: 'Restricted' }]);
    expect((await editor.get('/svc/api/projects?search=Closed')).body.items).toEqual([]);
  });

  test('two simultaneous plans create a record once, and the other apply fails with changed-meanwhile', async () => {
    const files = [project('race', 'name: Race\n')];
    const plans = await Promise.all([planned(fixture.root, files), planned(fixture.root, files)]);
    const answers = await Promise.all(
      plans.map(({ planId }) => fixture.root.post(`${path}/apply`, { planId })),
    );
    const outcomes = answers.map(({ body }) => [body.results[0].outcome, body.results[0].code]);
    expect(outcomes.toSorted()).toEqual([
      ['Done', null],
      ['Failed', 'changed-meanwhile'],
    ]);
    expect((await fixture.root.get('/svc/api/projects?search=Race')).body.totalCount).toBe(1);
  });

  test('an apply does not overwrite a change that was made after the plan', async () => {
    const files = [query('name: Orders\nsteps: [{ dataSource: the-watched-source, sql: select 9 as n }]\n')];
    const { planId } = await planned(fixture.root, files, { manager: 'late' });
    const steps = [{ dataSourceId: fixture.sourceId, sql: 'select 3 as n' }];
    await fixture.root.put(`/svc/api/queries/${queryId}`, { name: 'Orders', steps });
    const { body } = await fixture.root.post(`${path}/apply`, { planId });
    expect(body.results).toMatchObject([{ outcome: 'Failed', code: 'changed-meanwhile' }]);
    expect((await fixture.root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toBe('select 3 as n');
  });

  test('rules of a contract retain their ids in an update', async () => {
    await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
    const text = (min: number) =>
      `name: Rules\ndataSource: the-watched-source\nschemaName: public\ntableName: orders\nrules:\n  - { name: Some, type: Volume, config: { minRows: ${min} } }\n`;
    const file = (min: number) => [{ path: 'projects/shop/contracts/rules.yaml', content: text(min) }];
    const manager = 'rules';
    await planAndApply(fixture.root, file(1), { manager });
    const list = async () =>
      (await fixture.root.get('/svc/api/data-quality/contracts?search=Rules')).body.items[0].id as number;
    const contract = async () =>
      (await fixture.root.get(`/svc/api/data-quality/contracts/${await list()}`)).body.rules[0];
    const before = await contract();
    const { steps } = await planned(fixture.root, file(2), { manager });
    expect(changesOf(steps)).toEqual([
      ['projects/shop/contracts/rules.yaml', 'Update', ['/rules/0/config/minRows']],
    ]);
    await planAndApply(fixture.root, file(2), { manager });
    expect(await contract()).toMatchObject({ id: before.id, config: { minRows: 2 } });
  });

  test('a data source is changed together with its secret, and a rotated secret alone is also a change', async () => {
    const password = String(fixture.shop.options.password ?? '');
    const more = { manager: 'sources', secrets: { THE_WATCHED_SOURCE_PASSWORD: password } };
    const files = await exported(fixture.root, { kinds: ['DataSource'] });
    const changed = files.map((file) => ({ ...file, content: `${file.content}description: Of the shop\n` }));
    await planAndApply(fixture.root, changed, more);
    expect(changesOf((await planned(fixture.root, changed, more)).steps)).toEqual([]);
    const rotated = await planned(fixture.root, changed, {
      ...more,
      secrets: { THE_WATCHED_SOURCE_PASSWORD: 'another' },
    });
    expect(changesOf(rotated.steps)).toEqual([
      ['data-sources/the-watched-source.yaml', 'Update', ['/connection/password']],
    ]);
  });
});

describe('changes between plan and apply', () => {
  test('an apply uses the present role, and does not unlink a data source that was linked meanwhile', async () => {
    const { root, svc } = fixture;
    const guard = await fixture.person('guard', 'Admin');
    const files = [
      {
        path: 'recipients/secret.yaml',
        content: 'name: Secret\nnotificationType: Webhook\ndestination: { secret: HOOK }\n',
      },
      project('held', 'name: Held\n'),
    ];
    await planAndApply(root, [project('held', 'name: Held\n')], { manager: 'held' });
    const { planId, steps } = await planned(guard, files, { manager: 'guard' });
    expect(steps.map(({ action }) => action)).toEqual(['Create', 'Unchanged']);
    await svc.sql(`update svc.user_roles set role = 'Editor'
      where user_id = (select id from svc.users where user_name = 'guard')`);
    const { body } = await guard.post(`${path}/apply`, {
      planId,
      secrets: { HOOK: fixture.sink.urlOf('/secret') },
    });
    expect(body.results[0]).toMatchObject({
      outcome: 'NotAllowed',
      detail: expect.stringContaining('SecurityAdmin'),
    });
    expect((await root.get('/svc/api/recipients?search=Secret')).body.items).toEqual([]);

    const renamed = [project('held', 'name: Held still\n')];
    const next = await planned(editor, renamed, { manager: 'editor' });
    const list = await root.get('/svc/api/projects?search=Held');
    const linked = `/svc/api/projects/${list.body.items[0].id}/data-sources`;
    expect((await root.post(linked, { dataSourceId: fixture.sourceId })).status).toBe(201);
    const applied = await editor.post(`${path}/apply`, { planId: next.planId });
    expect(applied.body.results[0].outcome).toBe('NotAllowed');
    expect((await root.get(linked)).body.totalCount).toBe(1);
  });
});
