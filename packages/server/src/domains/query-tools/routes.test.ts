import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const missingId = 2_000_000_000;
let fixture: RunFixture;
let root: HttpClient;
let editor: HttpClient;
let security: HttpClient;
let count = 0;

beforeAll(async () => {
  fixture = await startRunFixture();
  root = fixture.root;
  editor = await fixture.person('editor', 'Editor');
  security = await fixture.person('security', ['SecurityAdmin']);
});
afterAll(() => fixture.close());

const fresh = () => `tool_${count++}`;
const path = (id: number) => `/svc/api/queries/${id}/mcp-tool`;
const publish = (id: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  security.put(path(id), { isEnabled: true, ...body }, { headers });
const addQuery = (sql = 'select id, email from orders', more: Record<string, unknown> = {}) =>
  fixture.addQuery(sql, more);
/** Saves the query with another statement. @returns its version. */
const save = async (id: number, sql: string) => {
  const steps = [{ dataSourceId: fixture.sourceId, sql }];
  const answer = await editor.put(`/svc/api/queries/${id}`, { name: `Saved ${id}`, steps });
  expect(answer.status, answer.text).toBe(200);
  const versions = await editor.get(`/svc/api/queries/${id}/versions?pageSize=1`);
  return versions.body.items[0] as { id: number; versionNumber: number };
};
const codeOf = ({ status, body }: Awaited<ReturnType<HttpClient['get']>>) => [
  status,
  body.code,
  body.errors?.[0]?.path,
];

describe('200', () => {
  test('a query that was never published is returned as not published', async () => {
    const answer = await editor.get(path(await addQuery()));
    expect(answer.body).toMatchObject({
      isEnabled: false,
      name: null,
      toolName: null,
      versionNumber: null,
      offer: null,
      issues: [],
      newestVersionNumber: 1,
      isNewest: false,
      isFollowing: false,
      publishedAt: null,
      version: 0,
    });
    expect(answer.headers.get('etag')).toBe('"0"');
  });

  test('publishing pins the current version, and a later save does not change the tool', async () => {
    const id = await addQuery('select 1 as one', {
      description: 'Orders by day',
      parameters: [
        { name: 'since', type: 'Date', description: 'From this day on' },
        { name: 'least', type: 'Number', defaultValue: 5 },
      ],
    });
    const name = fresh();
    const published = await publish(id, { name });
    expect(published.status, published.text).toBe(200);
    expect(published.body).toMatchObject({
      isEnabled: true,
      name,
      toolName: `q_${name}`,
      versionNumber: 1,
      isNewest: true,
      issues: [],
      publishedByUserName: 'security',
      version: 1,
      offer: {
        name: `q_${name}`,
        description: expect.stringMatching(
          /^Orders by day\. Runs version 1 of a query that people published/,
        ),
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          required: ['since'],
          properties: {
            since: { type: 'string', description: 'From this day on. A date, YYYY-MM-DD.' },
            least: { anyOf: [{ type: 'number' }, { type: 'null' }], default: 5 },
            max_rows: { type: 'integer' },
          },
        },
      },
    });
    const { id: second } = await save(id, 'select 2 as two');
    expect((await editor.get(path(id))).body).toMatchObject({
      versionNumber: 1,
      newestVersionNumber: 2,
      newestVersionId: second,
      isNewest: false,
      version: 1,
    });
    const pinned = await publish(id, { versionId: second }, { 'if-match': '"1"' });
    expect(pinned.body).toMatchObject({ name, versionNumber: 2, isNewest: true, version: 2 });
    expect(pinned.body.offer.inputSchema.required).toEqual([]);
  });

  test('an unpublished query retains its name, and the history contains the user and the version', async () => {
    const id = await addQuery();
    const name = fresh();
    await publish(id, { name, description: 'Ours' });
    const { id: second } = await save(id, 'select 2 as two');
    const off = await security.put(path(id), { isEnabled: false });
    expect(off.body).toMatchObject({ isEnabled: false, name, toolName: null, offer: null, versionNumber: 1 });
    expect((await security.put(path(id), { isEnabled: false })).body.version).toBe(off.body.version);
    const again = await publish(id, {});
    expect(again.body).toMatchObject({ toolName: `q_${name}`, description: 'Ours', versionId: second });
    const { body } = await editor.get(`/svc/api/queries/${id}/change-history`);
    expect(
      body.items.map((item: Record<string, unknown>) => [
        item['kind'],
        item['versionNumber'],
        item['byUserName'],
        item['status'],
        item['source'],
      ]),
    ).toEqual([
      ['Published', 2, 'security', null, null],
      ['Unpublished', 1, 'security', null, null],
      ['Version', 2, 'editor', 'Active', 'User'],
      ['Published', 1, 'security', null, null],
      ['Version', 1, 'The first administrator', 'Archived', 'User'],
    ]);
  });

  test('publishing again without a change creates no version and no history entry', async () => {
    const id = await addQuery();
    const name = fresh();
    await publish(id, { name });
    expect((await publish(id, { name })).body.version).toBe(1);
    const { body } = await editor.get(`/svc/api/queries/${id}/change-history`);
    expect(body.totalCount).toBe(2);
  });

  test('the name of an unpublished query can be used for another query', async () => {
    const first = await addQuery();
    const name = fresh();
    await publish(first, { name });
    await security.put(path(first), { isEnabled: false });
    const second = await addQuery();
    expect((await publish(second, { name })).status).toBe(200);
    expect(codeOf(await publish(first, {}))).toEqual([400, 'tool-name-taken', '/name']);
  });

  test('the issues of a tool name the setting that hides it from clients', async () => {
    const id = await addQuery();
    await publish(id, { name: fresh() });
    const settings = `/svc/api/mcp/projects/${fixture.projectId}/settings`;
    await security.put(settings, { isEnabled: false });
    expect((await editor.get(path(id))).body.issues).toEqual(['McpOff']);
    await security.put(settings, { isEnabled: null });
    expect((await editor.get(path(id))).body.issues).toEqual([]);
  });

  test('the list of published queries is sorted, searched and paged, and contains each version number', async () => {
    const name = fresh();
    const id = await addQuery('select 3 as three', { name: 'Zebra crossing' });
    await publish(id, { name });
    const list = (query: string) => security.get(`/svc/api/mcp/published-queries?${query}`);
    const matches = await list('search=zebra');
    expect(matches.body).toMatchObject({
      totalCount: 1,
      items: [{ queryId: id, toolName: `q_${name}`, versionNumber: 1, queryName: 'Zebra crossing' }],
    });
    const page = await list('pageSize=1&sort=-queryName');
    expect(page.body.items).toHaveLength(1);
    expect(page.body.items[0].queryId).toBe(id);
    expect(page.body.totalCount).toBeGreaterThan(1);
    expect((await list(`projectId=${missingId}`)).body.totalCount).toBe(0);
  });
});

describe('400', () => {
  test('the first publication needs a name, and a name that is taken or invalid is refused', async () => {
    const id = await addQuery();
    expect(codeOf(await publish(id, {}))).toEqual([400, 'tool-name-needed', '/name']);
    const name = fresh();
    await publish(await addQuery(), { name });
    expect(codeOf(await publish(id, { name }))).toEqual([400, 'tool-name-taken', '/name']);
    for (const bad of ['ab', 'Upper', '1st', 'with space', 'x'.repeat(42)])
      expect((await publish(id, { name: bad })).status, bad).toBe(400);
  });

  test('a version of another query, an unknown version and a version without steps cannot be published', async () => {
    const id = await addQuery();
    const { body } = await editor.get(`/svc/api/queries/${await addQuery()}/versions`);
    const other = body.items[0].id as number;
    for (const versionId of [other, missingId])
      expect(codeOf(await publish(id, { name: fresh(), versionId }))).toEqual([
        400,
        'version-not-publishable',
        '/versionId',
      ]);
    const empty = await addQuery('select 1', { steps: [] });
    expect(codeOf(await publish(empty, { name: fresh() }))[1]).toBe('version-not-publishable');
  });
});

test('of two queries that are published under one name at the same time, one is refused as a duplicate', async () => {
  const name = fresh();
  const ids = [await addQuery(), await addQuery()];
  const answers = await Promise.all(ids.map((id) => publish(id, { name })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.code).toBe('tool-name-taken');
  const listed = await security.get(`/svc/api/mcp/published-queries?search=${name}`);
  expect(listed.body.items.filter((item: { name: string }) => item.name === name)).toHaveLength(1);
});

test('the name of a query in an archived project can be used again', async () => {
  const project = (await root.post('/svc/api/projects', { name: fresh() })).body.id;
  await root.post(`/svc/api/projects/${project}/data-sources`, { dataSourceId: fixture.sourceId });
  const name = fresh();
  expect((await publish(await addQuery('select 1', { projectId: project }), { name })).status).toBe(200);
  expect((await root.delete(`/svc/api/projects/${project}`)).status).toBe(204);
  expect((await publish(await addQuery(), { name })).status).toBe(200);
});

test('an Editor gets 403 for publishing and for the list, and an Auditor can read the list', async () => {
  const id = await addQuery();
  expect((await editor.put(path(id), { isEnabled: true, name: fresh() })).status).toBe(403);
  expect((await editor.get('/svc/api/mcp/published-queries')).status).toBe(403);
  const auditor = await fixture.person('auditor', ['Auditor']);
  expect((await auditor.get('/svc/api/mcp/published-queries')).status).toBe(200);
  expect((await auditor.get(path(id))).status).toBe(403);
});

test('a query that does not exist, or that the caller cannot read, gets 404', async () => {
  expect((await editor.get(path(missingId))).status).toBe(404);
  expect((await publish(missingId, { name: fresh() })).status).toBe(404);
  const project = (await root.post('/svc/api/projects', { name: fresh() })).body.id;
  await root.put(`/svc/api/projects/${project}/access-mode`, { accessMode: 'Restricted' });
  const id = await addQuery('', { projectId: project, steps: [] });
  expect((await editor.get(path(id))).status).toBe(404);
  expect((await security.get(path(id))).status).toBe(200);
});

test('a publication with an outdated tag gets 412', async () => {
  const id = await addQuery();
  await publish(id, { name: fresh() });
  expect((await publish(id, { name: fresh() }, { 'if-match': '"0"' })).status).toBe(412);
});
