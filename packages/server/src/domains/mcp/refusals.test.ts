import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpFixture, startMcpFixture } from './testing/fixture.ts';

const settings = '/svc/api/mcp/settings';
const run = '/svc/api/mcp/tools/run';
let fixture: McpFixture;
let security: HttpClient;
let editor: HttpClient;

beforeAll(async () => {
  fixture = await startMcpFixture({ config: { 'Svc:Mcp:Ceilings:MaxRows': 200 } });
  await fixture.offerAllQueries();
  await createUser(fixture.svc.database, 'security', ['SecurityAdmin']);
  security = await signIn(fixture.svc, 'security');
  editor = await signIn(fixture.svc, 'editor');
});
afterAll(() => fixture.close());

const ofProject = () => `/svc/api/mcp/projects/${fixture.sales}/settings`;
const query = (args: object = { sql: 'select 1 as one' }) => ({
  toolName: 'query',
  projectId: fixture.sales,
  arguments: args,
});
/** Requires a problem response with the given status and a detail. */
const expectProblem = (answer: Awaited<ReturnType<HttpClient['get']>>, status: number, what: string) => {
  expect(answer.status, `${what}: ${answer.text}`).toBe(status);
  expect(answer.headers.get('content-type'), what).toContain('application/problem+json');
  expect(answer.body, what).toMatchObject({ status, title: expect.stringMatching(/\S/) });
};

describe('400', () => {
  test('settings refuse values of another type, values out of bounds, and unknown settings', async () => {
    const bodies: unknown[] = [
      { maxRows: '5' },
      { maxRows: 1.5 },
      { maxRows: -1 },
      { statementTimeoutSeconds: 0 },
      { maxResultBytes: 1 },
      { maxConcurrentCalls: 0 },
      { maxCallsPerMinute: 0 },
      { isEnabled: 'yes' },
      { piiPatterns: 'email' },
      { piiPatterns: ['(a+)+$('] },
      { piiPatterns: [1] },
      { disabledTools: ['query', 'invented'] },
      { keepsStatements: 1 },
      { ceilings: { maxRows: 5 } },
      { __proto__: null, constructor: {} },
      [],
      'text',
    ];
    for (const target of [settings, ofProject()])
      for (const body of bodies) expectProblem(await security.put(target, body), 400, JSON.stringify(body));
  });

  test('settings of a project refuse texts that apply to every client', async () => {
    for (const body of [{ instruction: 'x' }, { toolDescriptions: { query: 'x' } }])
      expectProblem(await security.put(ofProject(), body), 400, JSON.stringify(body));
  });

  test('the playground refuses a request without a tool or project, or with an unknown member', async () => {
    const bodies: object[] = [
      {},
      { toolName: 'query' },
      { projectId: fixture.sales },
      { ...query(), projectId: 'sales' },
      { ...query(), projectId: 0 },
      { ...query(), toolName: '' },
      { ...query(), arguments: 'select 1' },
      { ...query(), arguments: [] },
      { ...query(), callerId: 'somebody' },
    ];
    for (const body of bodies) expectProblem(await editor.post(run, body), 400, JSON.stringify(body));
    for (const path of [
      '/svc/api/mcp/tools',
      '/svc/api/mcp/tools?projectId=x',
      '/svc/api/mcp/tools?projectId=0',
    ])
      expectProblem(await editor.get(path), 400, path);
  });

  test('a change with a session cookie but without the antiforgery token is refused', async () => {
    const cookie = [...fixture.root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'content-type': 'application/json' };
    for (const [method, path, body] of [
      ['PUT', settings, { maxRows: 5 }],
      ['PUT', ofProject(), { maxRows: 5 }],
      ['POST', run, query()],
    ] as const) {
      const response = await fetch(fixture.svc.origin + path, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      expect([path, response.status]).toEqual([path, 400]);
    }
  });
});

test('a caller who is not signed in can read nothing and gets 401', async () => {
  const paths = [
    settings,
    '/svc/api/mcp/settings/history',
    '/svc/api/mcp/projects',
    ofProject(),
    `/svc/api/mcp/tools?projectId=${fixture.sales}`,
    `/svc/api/projects/${fixture.sales}/mcp-context`,
  ];
  for (const path of paths)
    expect([path, (await fetch(fixture.svc.origin + path)).status]).toEqual([path, 401]);
});

describe('403', () => {
  test('the playground requires the scope Execute of a key', async () => {
    const post = async (authorization: string) =>
      fetch(fixture.svc.origin + run, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(query()),
      });
    expect((await post((await fixture.key([fixture.sales], ['Read'])).authorization)).status).toBe(403);
    const executes = await post((await fixture.key([fixture.sales])).authorization);
    expect(executes.status).toBe(200);
    // A key for another project does not reveal that this project exists.
    expect((await post((await fixture.key([fixture.staff])).authorization)).status).toBe(404);
  });

  test('a user who administers projects, but not security, cannot change settings', async () => {
    for (const target of [settings, ofProject()])
      expectProblem(await editor.put(target, { maxRows: 5 }), 403, target);
  });
});

describe('404', () => {
  test('an address with an invalid project id does not exist', async () => {
    for (const path of ['/svc/api/mcp/projects/x/settings', '/svc/api/mcp/projects/0/settings'])
      expectProblem(await security.get(path), 404, path);
    expectProblem(await editor.get('/svc/api/projects/x/mcp-context'), 404, 'mcp-context');
  });

  test('a project that the caller cannot read does not exist in any route that names one', async () => {
    await createUser(fixture.svc.database, 'outsider', ['Editor']);
    const outsider = await signIn(fixture.svc, 'outsider');
    for (const path of [
      `/svc/api/mcp/tools?projectId=${fixture.sales}`,
      `/svc/api/projects/${fixture.sales}/mcp-context`,
    ])
      expectProblem(await outsider.get(path), 404, path);
    expectProblem(await outsider.post(run, query()), 404, run);
    const [hidden, missing] = [
      await outsider.post(run, query()),
      await outsider.post(run, { ...query(), projectId: 999_999 }),
    ];
    const without = ({ body }: typeof hidden) => ({ ...body, traceId: undefined });
    expect(without(hidden)).toEqual(without(missing));
  });
});

describe('the project of the playground', () => {
  test('is the requested project, regardless of the arguments', async () => {
    const lone = await createUser(fixture.svc.database, 'lone', ['Editor']);
    await fixture.root.post(`/svc/api/projects/${fixture.sales}/members`, {
      userName: 'lone',
      role: 'Editor',
    });
    expect(lone).toBeGreaterThan(0);
    const client = await signIn(fixture.svc, 'lone');
    const answer = await client.post(run, {
      toolName: 'get_context',
      projectId: fixture.sales,
      arguments: { project_id: fixture.staff },
    });
    expect(answer.body).toMatchObject({
      isError: false,
      structuredContent: { project: { id: fixture.sales } },
    });
  });

  test('gets the refusal of a tool as an answer with status 200, not as a failure of the route', async () => {
    for (const args of [
      { sql: 'delete from orders' },
      { sql: 'select nothing from orders' },
      { sql: 'select 1', data_source: 'Elsewhere' },
      { sql: 5 },
      {},
    ]) {
      const answer = await editor.post(run, query(args));
      expect(answer.status, JSON.stringify(args)).toBe(200);
      expect(answer.body, JSON.stringify(args)).toMatchObject({ isError: true, structuredContent: null });
      expect(answer.body.text, JSON.stringify(args)).toMatch(/\S/);
    }
  });
});

test('a project refuses values above the ceiling with 409, and settings that changed after they were read with 412', async () => {
  expectProblem(await security.put(ofProject(), { maxRows: 201 }), 409, 'ceiling');
  const tag = (await security.get(ofProject())).headers.get('etag') ?? '';
  const options = { headers: { 'if-match': tag } };
  expect((await security.put(ofProject(), { maxRows: 60 }, options)).status).toBe(200);
  expectProblem(await security.put(ofProject(), { maxRows: 70 }, options), 412, 'if-match');
  expect((await security.get(ofProject())).body.overrides.maxRows).toBe(60);
});
