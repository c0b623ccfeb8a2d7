import { problemCodes } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn } from '@svc/testkit/people/people.ts';
import { createUser, setRoles } from '@svc/testkit/people/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallAnswer, type McpFixture, sleeping, startMcpFixture } from './testing/fixture.ts';

const path = '/svc/api/mcp/settings';
let fixture: McpFixture;
let key: string;
let security: HttpClient;

beforeAll(async () => {
  fixture = await startMcpFixture({
    config: {
      'Svc:Mcp:Ceilings:MaxRows': 200,
      'Svc:Mcp:ForceNoContentRetention': true,
      'Svc:Mcp:DisabledTools': ['search'],
    },
  });
  key = (await fixture.key([fixture.sales])).authorization;
  await createUser(fixture.svc.database, 'security', ['SecurityAdmin']);
  security = await signIn(fixture.svc, 'security');
});
afterAll(() => fixture.close());

const projectPath = () => `/svc/api/mcp/projects/${fixture.sales}/settings`;
const textOf = (answer: CallAnswer) => answer.content[0]?.text ?? '';
const rows = async (max: number) =>
  (await fixture.call(key, 'query', { sql: 'select n from generate_series(1, 1000) n', max_rows: max }))
    .structuredContent.rowCount as number;

describe('200', () => {
  test('returns the defaults until a value is set, with the ceilings and locks of the configuration', async () => {
    const { body } = await security.get(path);
    expect(body).toMatchObject({
      values: { isEnabled: true, maxRows: 1_000, keepsStatements: true },
      effective: { maxRows: 200, keepsStatements: false, disabledTools: ['search'] },
      lockedFields: ['keepsStatements'],
      ceilings: { maxRows: 200 },
      version: 0,
      updatedAt: null,
    });
    expect(body.tools.map((tool: { name: string }) => tool.name)).toContain('query');
    expect(await rows(1_000)).toBe(200);
  });

  test('a value of a project overrides the global value, and null inherits it again', async () => {
    expect((await security.put(path, { maxRows: 50 })).body.values.maxRows).toBe(50);
    expect(await rows(1_000)).toBe(50);
    const projectAnswer = await security.put(projectPath(), { maxRows: 20 });
    expect(projectAnswer.body).toMatchObject({
      projectName: 'Sales',
      overrides: { maxRows: 20 },
      effective: { maxRows: 20 },
    });
    expect(await rows(1_000)).toBe(20);
    const inherited = await security.put(projectPath(), { maxRows: null });
    expect(inherited.body).toMatchObject({ overrides: { maxRows: null }, effective: { maxRows: 50 } });
    expect(await rows(1_000)).toBe(50);
  });

  test('tools and complete projects are switched off for clients and for the playground', async () => {
    expect(textOf(await fixture.call(key, 'search', { query: 'orders' }))).toBe(
      `The tool search is switched off for project ${fixture.sales}. ${problemCodes['tool-disabled'].next}`,
    );
    await security.put(projectPath(), { disabledTools: ['query'] });
    const { body } = await fixture.post(key, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const names = body.result.tools.map((tool: { name: string }) => tool.name);
    expect(names).not.toContain('query');
    expect(names).not.toContain('search');
    expect(textOf(await fixture.call(key, 'query', { sql: 'select 1' }))).toContain('switched off');
    const shown = await fixture.root.get(`/svc/api/mcp/tools?projectId=${fixture.sales}`);
    expect(
      shown.body.items
        .filter((tool: { isEnabled: boolean }) => !tool.isEnabled)
        .map((tool: { name: string }) => tool.name),
    ).toEqual(['search', 'query']);
    await security.put(projectPath(), { disabledTools: null, isEnabled: false });
    expect(textOf(await fixture.call(key, 'query', { sql: 'select 1' }))).toBe(
      'No projects are available to you.',
    );
    expect(textOf(await fixture.call(key, 'query', { sql: 'select 1', project_id: fixture.sales }))).toBe(
      `MCP is switched off for project ${fixture.sales}. ${problemCodes['mcp-disabled'].next}`,
    );
    await security.put(projectPath(), { isEnabled: null });
    expect((await fixture.call(key, 'query', { sql: 'select 1' })).isError).toBeUndefined();
  });

  test('clients get the configured instruction and tool descriptions with the built-in texts', async () => {
    await security.put(path, {
      instruction: 'Ask for the year first.',
      toolDescriptions: { query: 'Ours.' },
    });
    const greeting = await fixture.post(key, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    });
    expect(greeting.body.result.instructions).toMatch(/get_context[\s\S]*\n\nAsk for the year first\.$/);
    const { body } = await fixture.post(key, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const query = body.result.tools.find((tool: { name: string }) => tool.name === 'query');
    expect(query.description).toBe('Ours.');
    await security.put(path, { instruction: null, toolDescriptions: {} });
  });

  test('additional patterns mask additional columns, in answers and in the schema', async () => {
    await security.put(path, { piiPatterns: ['note'] });
    const answer = await fixture.call(key, 'query', { sql: 'select note from customers where id = 1' });
    expect(answer.structuredContent.columns).toMatchObject([{ name: 'note', isMasked: true }]);
    expect(JSON.stringify(answer)).not.toContain('note 1');
    const { structuredContent } = await fixture.call(key, 'get_context', { table: 'customers' });
    const note = structuredContent.table.columns.find((column: { name: string }) => column.name === 'note');
    expect(note.isMasked).toBe(true);
    await security.put(path, { piiPatterns: [] });
  });

  test('the calls of a caller are limited per minute and in parallel', async () => {
    const other = (await fixture.key([fixture.sales])).authorization;
    await security.put(projectPath(), { maxCallsPerMinute: 2 });
    await fixture.call(other, 'query', { sql: 'select 1' });
    await fixture.call(other, 'query', { sql: 'select 1' });
    expect(textOf(await fixture.call(other, 'query', { sql: 'select 1' }))).toMatch(
      /^More than 2 calls within a minute/,
    );
    await security.put(projectPath(), { maxCallsPerMinute: null, maxConcurrentCalls: 1 });
    const third = (await fixture.key([fixture.sales])).authorization;
    const { until, sleepy } = sleeping(() => fixture);
    const message = (id: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'query', arguments: args },
    });
    const first = fixture.post(third, message('first', sleepy));
    await until(1);
    expect(textOf(await fixture.call(third, 'query', { sql: 'select 1' }))).toMatch(
      /^1 call is running already/,
    );
    await fixture.post(third, {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'first' },
    });
    await first;
    expect((await fixture.call(third, 'query', { sql: 'select 1' })).isError).toBeUndefined();
    await security.put(projectPath(), { maxConcurrentCalls: null });
  });

  test('a statement that takes too long is stopped', async () => {
    await security.put(projectPath(), { statementTimeoutSeconds: 1 });
    expect(textOf(await fixture.call(key, 'query', { sql: 'select pg_sleep(30)::text as a' }))).toContain(
      '1000 ms',
    );
    await security.put(projectPath(), { statementTimeoutSeconds: null });
  });

  test('the history shows who changed which setting, newest first, and the audit log contains the change', async () => {
    await security.put(path, { maxResultBytes: 2_048 });
    await security.put(path, { maxResultBytes: 4_096 });
    await security.put(path, { maxResultBytes: 4_096 });
    const { body } = await security.get(`${path}/history?pageSize=2`);
    expect(body.items).toMatchObject([
      {
        projectId: null,
        changedByUserName: 'security',
        changes: [{ field: 'maxResultBytes', before: 2_048, after: 4_096 }],
      },
      { changes: [{ field: 'maxResultBytes', before: null, after: 2_048 }] },
    ]);
    const projectHistory = await security.get(`${path}/history?projectId=${fixture.sales}`);
    expect(
      projectHistory.body.items.every((item: { projectName: string }) => item.projectName === 'Sales'),
    ).toBe(true);
    const audit = await fixture.root.get('/svc/api/mcp/audit?event=settings.mcp_changed&pageSize=1');
    expect(audit.body.items[0].detail).toMatchObject({ fields: ['maxResultBytes'] });
  });

  test('projects are listed with the settings that they override', async () => {
    await security.put(projectPath(), { maxRows: 10 });
    const { body } = await security.get('/svc/api/mcp/projects?search=sal');
    expect(body).toMatchObject({ items: [{ name: 'Sales', overriddenFields: ['maxRows'] }], totalCount: 1 });
    await security.put(projectPath(), { maxRows: null });
  });
});

test('refuses an invalid pattern, an unknown tool or setting, and a number out of bounds with 400', async () => {
  for (const body of [
    { piiPatterns: ['('] },
    { disabledTools: ['invented'] },
    { toolDescriptions: { invented: 'x' } },
    { maxRows: 0 },
    { maxRows: 10_001 },
    { unknown: 1 },
  ])
    expect((await security.put(path, body)).status, JSON.stringify(body)).toBe(400);
});

test('an Auditor can read the settings but gets 403 for a change, and an Editor gets 403 for both', async () => {
  const id = await createUser(fixture.svc.database, 'auditor', ['Auditor']);
  const auditor = await signIn(fixture.svc, 'auditor');
  expect((await auditor.get(path)).status).toBe(200);
  expect((await auditor.put(path, { maxRows: 1 })).status).toBe(403);
  await setRoles(fixture.svc.database, id, ['Editor']);
  const editor = await signIn(fixture.svc, 'editor');
  expect((await editor.get(path)).status).toBe(403);
});

test('settings of an unknown project get 404', async () => {
  expect((await security.get('/svc/api/mcp/projects/999999/settings')).status).toBe(404);
  expect((await security.put('/svc/api/mcp/projects/999999/settings', { maxRows: 1 })).status).toBe(404);
});

test('values that the configuration locks or caps are refused with 409, globally and in a project', async () => {
  for (const target of [path, projectPath()]) {
    for (const [body, setting] of [
      [{ keepsStatements: true }, 'keepsStatements'],
      [{ maxRows: 201 }, 'maxRows'],
    ] as const) {
      const answer = await security.put(target, body);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        type: '/errors/setting-locked',
        code: 'setting-locked',
        title: `The setting ${setting} is locked`,
      });
    }
  }
  expect((await security.put(path, { keepsStatements: false })).status).toBe(200);
});

test('a change of settings that changed after they were read gets 412', async () => {
  const tag = (await security.get(path)).headers.get('etag') ?? '';
  expect((await security.put(path, { maxRows: 60 }, { headers: { 'if-match': tag } })).status).toBe(200);
  expect((await security.put(path, { maxRows: 70 }, { headers: { 'if-match': tag } })).status).toBe(412);
});

test('arguments are not in the audit log while the configuration excludes them', async () => {
  await fixture.call(key, 'query', { sql: 'select 4711' });
  expect(JSON.stringify((await fixture.audited()).at(-1))).not.toContain('4711');
});

describe('the playground', () => {
  const run = (client: HttpClient, body: object) => client.post('/svc/api/mcp/tools/run', body);

  test('runs the same call with the rights of the caller, and audits it as a playground call', async () => {
    const answer = await run(fixture.root, {
      toolName: 'query',
      projectId: fixture.staff,
      arguments: { sql: 'select amount from salaries order by amount' },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      isError: false,
      rowCount: 2,
      structuredContent: { rows: [[90], [100]] },
    });
    expect((await fixture.audited()).at(-1)).toMatchObject({
      via: 'Playground',
      actor_kind: 'user',
      project_id: fixture.staff,
    });
    const refused = await run(fixture.root, {
      toolName: 'query',
      projectId: fixture.staff,
      arguments: { sql: 'drop table salaries' },
    });
    expect(refused.body).toMatchObject({ isError: true, structuredContent: null });
  });

  test('returns 404 for a project that the caller cannot read, and for an unknown tool', async () => {
    await createUser(fixture.svc.database, 'outsider', ['Editor']);
    const outsider = await signIn(fixture.svc, 'outsider');
    const body = { toolName: 'get_context', projectId: fixture.sales };
    expect((await run(outsider, body)).status).toBe(404);
    expect((await outsider.get(`/svc/api/mcp/tools?projectId=${fixture.sales}`)).status).toBe(404);
    expect((await run(fixture.root, { ...body, toolName: 'invented' })).status).toBe(404);
  });

  test('returns the context of a project as one text, and states when it is cut', async () => {
    const answer = await fixture.root.get(`/svc/api/projects/${fixture.sales}/mcp-context`);
    expect(answer.body.context).toContain('public.orders');
    expect(answer.body).toMatchObject({ isCut: false, context: expect.not.stringContaining('less than') });

    await fixture.svc.database.query(
      `update svc.data_source_metadata m set snapshot = jsonb_set(m.snapshot, '{tables}', (
         select jsonb_agg(jsonb_set(m.snapshot->'tables'->0, '{name}', to_jsonb('filler_' || n)))
         from generate_series(1, 31) n))`,
    );
    const cut = await fixture.root.get(`/svc/api/projects/${fixture.sales}/mcp-context`);
    expect(cut.body).toMatchObject({ isCut: true, context: expect.stringContaining('less than there is') });
  });
});
