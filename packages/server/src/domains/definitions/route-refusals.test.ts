import { randomUUID } from 'node:crypto';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Files } from './testing/records.ts';

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
