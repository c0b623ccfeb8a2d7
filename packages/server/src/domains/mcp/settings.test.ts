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
  test('defaults hold until something is set; the configuration’s ceilings and locks are told', async () => {
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

  test('a project overrides what is set for all; null inherits again', async () => {
    expect((await security.put(path, { maxRows: 50 })).body.values.maxRows).toBe(50);
    expect(await rows(1_000)).toBe(50);
    const own = await security.put(projectPath(), { maxRows: 20 });
    expect(own.body).toMatchObject({
      projectName: 'Sales',
      overrides: { maxRows: 20 },
      effective: { maxRows: 20 },
    });
    expect(await rows(1_000)).toBe(20);
    const inherited = await security.put(projectPath(), { maxRows: null });
    expect(inherited.body).toMatchObject({ overrides: { maxRows: null }, effective: { maxRows: 50 } });
    expect(await rows(1_000)).toBe(50);
  });

  test('tools and whole projects are switched off, for clients and for the playground', async () => {
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

  test('what is told to clients beside the built-in texts', async () => {
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

  test('more patterns mask more, in the answers and in the schema', async () => {
    await security.put(path, { piiPatterns: ['note'] });
    const answer = await fixture.call(key, 'query', { sql: 'select note from customers where id = 1' });
    expect(answer.structuredContent.columns).toMatchObject([{ name: 'note', isMasked: true }]);
    expect(JSON.stringify(answer)).not.toContain('note 1');
    const { structuredContent } = await fixture.call(key, 'get_context', { table: 'customers' });
    const note = structuredContent.table.columns.find((column: { name: string }) => column.name === 'note');
    expect(note.isMasked).toBe(true);
    await security.put(path, { piiPatterns: [] });
  });

  test('bounds of a caller: calls a minute, and at once', async () => {
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

  test('the history tells who changed what, newest first, and the audit has it too', async () => {
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
    const own = await security.get(`${path}/history?projectId=${fixture.sales}`);
    expect(own.body.items.every((item: { projectName: string }) => item.projectName === 'Sales')).toBe(true);
    const audit = await fixture.root.get('/svc/api/mcp/audit?event=settings.mcp_changed&pageSize=1');
    expect(audit.body.items[0].detail).toMatchObject({ fields: ['maxResultBytes'] });
  });

  test('projects are listed with what they set, whoever reads them otherwise', async () => {
    await security.put(projectPath(), { maxRows: 10 });
    const { body } = await security.get('/svc/api/mcp/projects?search=sal');
    expect(body).toMatchObject({ items: [{ name: 'Sales', overriddenFields: ['maxRows'] }], totalCount: 1 });
    await security.put(projectPath(), { maxRows: null });
  });
});

test('400: a pattern that does not parse, a tool that there is not, a number out of bounds', async () => {
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

test('403: an Auditor reads and changes nothing; a reader of projects does neither', async () => {
  const id = await createUser(fixture.svc.database, 'auditor', ['Auditor']);
  const auditor = await signIn(fixture.svc, 'auditor');
  expect((await auditor.get(path)).status).toBe(200);
  expect((await auditor.put(path, { maxRows: 1 })).status).toBe(403);
  await setRoles(fixture.svc.database, id, ['Editor']);
  const editor = await signIn(fixture.svc, 'editor');
  expect((await editor.get(path)).status).toBe(403);
});

test('404: settings of a project that there is not', async () => {
  expect((await security.get('/svc/api/mcp/projects/999999/settings')).status).toBe(404);
  expect((await security.put('/svc/api/mcp/projects/999999/settings', { maxRows: 1 })).status).toBe(404);
});

test('409: what the configuration locks or caps cannot be set, for all or in a project', async () => {
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

test('412: settings that changed since they were read', async () => {
  const tag = (await security.get(path)).headers.get('etag') ?? '';
  expect((await security.put(path, { maxRows: 60 }, { headers: { 'if-match': tag } })).status).toBe(200);
  expect((await security.put(path, { maxRows: 70 }, { headers: { 'if-match': tag } })).status).toBe(412);
});

test('arguments stay out of the audit while the configuration says so', async () => {
  await fixture.call(key, 'query', { sql: 'select 4711' });
  expect(JSON.stringify((await fixture.audited()).at(-1))).not.toContain('4711');
});

describe('playground', () => {
  const run = (client: HttpClient, body: object) => client.post('/svc/api/mcp/tools/run', body);

  test('200: the same call with the caller’s own rights, audited as what it is', async () => {
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

  test('404: a project that the caller cannot read, a tool that there is not', async () => {
    await createUser(fixture.svc.database, 'outsider', ['Editor']);
    const outsider = await signIn(fixture.svc, 'outsider');
    const body = { toolName: 'get_context', projectId: fixture.sales };
    expect((await run(outsider, body)).status).toBe(404);
    expect((await outsider.get(`/svc/api/mcp/tools?projectId=${fixture.sales}`)).status).toBe(404);
    expect((await run(fixture.root, { ...body, toolName: 'invented' })).status).toBe(404);
  });

  test('the context of a project as one text', async () => {
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
