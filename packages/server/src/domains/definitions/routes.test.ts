import { randomUUID } from 'node:crypto';
import { definitionKinds } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesOf, exported, type Files, planAndApply, planned } from './testing/records.ts';

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

const plan = (files: Files, more: object = {}) => fixture.root.post(`${path}/plan`, { files, ...more });
const project = (slug: string, text: string) => ({ path: `projects/${slug}/project.yaml`, content: text });
const query = (text: string, slug = 'orders') => ({
  path: `projects/shop/queries/${slug}.yaml`,
  content: text,
});
/** Returns status, code and the path of the first invalid member. */
const refusal = async (answer: ReturnType<HttpClient['post']>) => {
  const { status, body } = await answer;
  return [status, body.code, body.errors?.[0]?.path];
};

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

describe('status 400', () => {
  const deep = `name: a\ndescription: ${'['.repeat(100)}${']'.repeat(100)}\n`;
  test.each<[string, object, string]>([
    ['an unknown member', query('name: a\nnope: 1\n'), 'projects/shop/queries/orders.yaml#/nope'],
    [
      'an invalid member of a step',
      query('name: a\nsteps: [{ dataSource: the-watched-source, sql: 1 }]\n'),
      'projects/shop/queries/orders.yaml#/steps/0/sql',
    ],
    ['a missing member', query('description: a\n'), 'projects/shop/queries/orders.yaml#/name'],
    [
      'another format',
      query('$schema: urn:svc:definition:v9:query\nname: a\n'),
      'projects/shop/queries/orders.yaml#/$schema',
    ],
    ['a duplicate member', query('name: a\nname: b\n'), 'projects/shop/queries/orders.yaml'],
    ['deep nesting', query(deep), 'projects/shop/queries/orders.yaml'],
    ['an alias', query('name: &a x\ndescription: *a\n'), 'projects/shop/queries/orders.yaml'],
    ['a tag', query('name: !!js/function x\n'), 'projects/shop/queries/orders.yaml'],
    ['a list', query('- 1\n'), 'projects/shop/queries/orders.yaml'],
    ['nothing', query(''), 'projects/shop/queries/orders.yaml'],
    ['an unpaired surrogate', query('name: "\\ud800"\n'), 'projects/shop/queries/orders.yaml#/name'],
    ['a prototype', query('name: a\n__proto__: { a: 1 }\n'), 'projects/shop/queries/orders.yaml'],
    ['a path outside the folder', { path: '../x.yaml', content: 'name: a\n' }, '../x.yaml'],
    ['an invalid slug', project('Shop!', 'name: a\n'), 'projects/Shop!/project.yaml'],
    [
      'a SQL file that no definition names',
      { path: 'projects/shop/queries/x.sql', content: 'select 1' },
      'projects/shop/queries/x.sql',
    ],
    [
      'a missing SQL file',
      query('name: a\nfinalQuery: { file: x.sql }\n'),
      'projects/shop/queries/orders.yaml#/finalQuery',
    ],
    [
      'a SQL file of another folder',
      query('name: a\nfinalQuery: { file: ../x.sql }\n'),
      'projects/shop/queries/orders.yaml#/finalQuery',
    ],
    [
      'a secret as text',
      {
        path: 'data-sources/d.yaml',
        content: 'name: d\nengine: PostgreSQL\nconnection: { host: h, database: d, user: u, password: p }\n',
      },
      'data-sources/d.yaml#/connection/password',
    ],
    [
      'a destination as text',
      {
        path: 'recipients/r.yaml',
        content: 'name: r\nnotificationType: Webhook\ndestination: https://example.org\n',
      },
      'recipients/r.yaml#/destination',
    ],
    [
      'a key as text',
      {
        path: 'settings/service.yaml',
        content: 'llmConnection: { provider: Anthropic, model: m, apiKey: k }\n',
      },
      'settings/service.yaml#/llmConnection/apiKey',
    ],
    [
      'settings without a value',
      { path: 'settings/mcp.yaml', content: 'maxRows: 1000\n' },
      'settings/mcp.yaml#',
    ],
    [
      'an invalid base URL',
      { path: 'settings/service.yaml', content: 'baseUrl: x\n' },
      'settings/service.yaml#/baseUrl',
    ],
    [
      'settings of another name',
      { path: 'settings/other.yaml', content: 'maxRows: 1\n' },
      'settings/other.yaml',
    ],
    [
      'an instruction in one project',
      { path: 'projects/shop/mcp.yaml', content: 'instruction: a\n' },
      'projects/shop/mcp.yaml#/instruction',
    ],
    [
      'a job without a destination',
      {
        path: 'migrations/m.yaml',
        content: 'name: m\ndataSource: a\nsource: { kind: Query, sql: select 1 }\nmode: Insert\n',
      },
      'migrations/m.yaml#/destinationDataSource',
    ],
    [
      'an unknown engine',
      { path: 'data-sources/d.yaml', content: 'name: d\nengine: Abacus\nconnection: {}\n' },
      'data-sources/d.yaml#/engine',
    ],
  ])('refuses %s with 400 and names its position', async (_what, file, member) => {
    expect(await refusal(plan([file] as Files))).toEqual([400, 'invalid-definition', member]);
  });

  test('refuses an invalid schedule and names its position', async () => {
    const content = 'query: orders\ncronExpression: never\n';
    const file = { path: 'projects/shop/subscriptions/s.yaml', content };
    const [status, code, member] = await refusal(plan([file]));
    expect([status, code]).toEqual([400, 'invalid-definition']);
    expect(member).toMatch(/^projects\/shop\/subscriptions\/s\.yaml#/);
    const { detail } = (await plan([file])).body;
    expect(detail).toMatch(/^projects\/shop\/subscriptions\/s\.yaml#.* .*[^.]\.$/);
  });

  test('refuses two files for one record', async () => {
    const files = [project('a', 'name: A\n'), { path: 'projects/a/project.yml', content: 'name: B\n' }];
    expect(await refusal(plan(files))).toEqual([400, 'invalid-definition', 'projects/a/project.yml']);
  });

  test('refuses an unknown reference, and a record in an unknown project', async () => {
    const steps = 'name: a\nsteps: [{ dataSource: nowhere, sql: select 1 }]\n';
    expect(await refusal(plan([query(steps)]))).toEqual([
      400,
      'unknown-reference',
      'projects/shop/queries/orders.yaml#/steps/0/dataSource',
    ]);
    const lost = { path: 'projects/nowhere/queries/q.yaml', content: 'name: a\n' };
    expect(await refusal(plan([lost]))).toEqual([400, 'unknown-reference', lost.path]);
  });

  test('refuses secrets that are not texts, and a manager that is not a slug', async () => {
    expect((await plan([], { secrets: { A: 1 } })).status).toBe(400);
    expect((await plan([], { manager: 'A B' })).status).toBe(400);
  });
});

describe('status 403', () => {
  test('refuses a plan, an apply and a slug from a Viewer', async () => {
    expect((await viewer.post(`${path}/plan`, { files: [] })).status).toBe(403);
    expect((await viewer.post(`${path}/apply`, { planId: randomUUID() })).status).toBe(403);
    expect((await viewer.patch(`${path}/objects/Query/${queryId}`, { slug: 'x' })).status).toBe(403);
  });

  test('refuses a slug for a data source from an Editor', async () => {
    const { status, body } = await editor.patch(`${path}/objects/DataSource/${fixture.sourceId}`, {
      slug: 'x',
    });
    expect([status, body.code]).toEqual([403, 'permission-required']);
  });
});

describe('status 404', () => {
  test('returns 404 for a new slug of settings', async () => {
    const { status } = await fixture.root.patch(`${path}/objects/Settings/1`, { slug: 'x' });
    expect(status).toBe(404);
  });

  test('returns the same 404 for unknown records as for records that the caller cannot see', async () => {
    const hidden = await fixture.make('/svc/api/projects', { name: 'Hidden' });
    const { id } = await fixture.make('/svc/api/queries', { projectId: hidden.id, name: 'H', steps: [] });
    await fixture.root.put(`/svc/api/projects/${hidden.id}/access-mode`, { accessMode: 'Restricted' });
    const bodyOf = async (answer: ReturnType<HttpClient['get']>) => {
      const { status, body } = await answer;
      const { traceId: _trace, instance: _instance, ...rest } = body;
      return [status, rest];
    };
    const missing = await bodyOf(editor.get(`${path}/objects/Query/999999`));
    expect(missing[0]).toBe(404);
    expect(await bodyOf(editor.get(`${path}/objects/Query/${id}`))).toEqual(missing);
    expect(await bodyOf(editor.patch(`${path}/objects/Query/${id}`, { slug: 'x' }))).toEqual(missing);
    const unknown = await bodyOf(editor.post(`${path}/export`, { projects: ['nowhere'] }));
    expect(unknown[0]).toBe(404);
    await fixture.root.get(`${path}/objects/Project/${hidden.id}`);
    expect(await bodyOf(editor.post(`${path}/export`, { projects: ['hidden'] }))).toEqual(unknown);
    expect((await editor.post(`${path}/apply`, { planId: randomUUID() })).status).toBe(404);
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
