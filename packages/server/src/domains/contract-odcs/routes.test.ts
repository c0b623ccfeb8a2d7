import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { addStock, stockRule } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/data-quality/contracts';
let fixture: RunFixture;
let editor: HttpClient;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  await addStock(fixture);
  editor = await fixture.person('editor', 'Editor');
});
afterAll(() => fixture.close());

const place = () => ({ projectId: fixture.projectId, dataSourceId: fixture.sourceId });
const send = (client: HttpClient, document: string, more: object = {}) =>
  client.post(`${path}/import`, { ...place(), document, ...more });
const count = async (): Promise<number> => (await fixture.root.get(path)).body.totalCount;
const documentOf = (schema: unknown, more: object = {}) =>
  JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'theirs',
    version: '2.0.0',
    status: 'draft',
    schema,
    ...more,
  });
const rows = { metric: 'rowCount', mustBeGreaterThan: 0, dimension: 'coverage' };

describe('status 200', () => {
  test('a contract that is exported and imported has the same content, and so does its document', async () => {
    const made = await fixture.make(path, {
      ...place(),
      schemaName: 'public',
      tableName: 'stock',
      name: 'Stock: all',
      description: 'Ours',

      alertMode: 'OnChange',
      createTasks: true,
      slaHours: 4,
      cronExpression: '0 8 * * *',
      timeZone: 'UTC',
      rules: [
        stockRule,
        {
          name: 'Amount',
          type: 'NullRate',
          columns: ['amount'],
          unit: 'Percent',
          warnAbove: 1,
          failAbove: 5,
        },
        { name: 'Sql', type: 'CustomSql', config: { kind: 'FailingRows', sql: 'select * from stock' } },
      ],
    });
    const exported = await fixture.root.get(`${path}/${made.id}/odcs`);
    expect(exported.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(exported.headers.get('content-disposition')).toContain('.odcs.yaml');
    const before = await count();
    const trial = await send(fixture.root, exported.text, { dryRun: true });
    expect(trial.body).toMatchObject({
      contracts: [{ id: null, tableName: 'stock', ruleCount: 3 }],
      refused: [],
    });
    expect(await count()).toBe(before);
    const { body } = await send(fixture.root, exported.text);
    expect(await count()).toBe(before + 1);
    const again = (await fixture.root.get(`${path}/${body.contracts[0].id}`)).body;
    const same = ({ id, createdTime, updatedAt, rules, ...rest }: typeof again) => ({
      ...rest,
      rules: rules.map(({ id: _id, ...rule }: { id: number }) => rule),
    });
    expect(same(again)).toEqual(same(made));
    expect((await fixture.root.get(`${path}/${again.id}/odcs`)).text).toBe(exported.text);
  });

  test('the exported document again contains the imported parts that are not evaluated', async () => {
    const servers = [{ server: 'prod', type: 'postgres', host: 'h', database: 'd', schema: 's', port: 5432 }];
    const { body } = await send(
      editor,
      documentOf([{ name: 'stock', quality: [rows, { type: 'text', description: 'Never late' }] }], {
        servers,
      }),
    );
    expect(body.read).toMatchObject([{ path: '/schema/0/quality/0', note: 'Volume: Volume' }]);
    expect(body.kept.map((one: { path: string }) => one.path)).toContain('/servers');
    const { text } = await editor.get(`${path}/${body.contracts[0].id}/odcs`);
    for (const part of ['id: theirs', 'version: 2.0.0', 'server: prod', 'dimension: coverage', 'Never late'])
      expect(text).toContain(part);
  });
});

describe('status 400', () => {
  test.each([
    ['a: &a 1', 'invalid-odcs-document', '/document'],
    ['kind: DataContract', 'invalid-odcs-document', '/document/apiVersion'],
    [documentOf([{ quality: [rows] }]), 'invalid-contract', '/document/schema/0'],
    [documentOf([{ name: 'stock' }]), 'invalid-contract', '/document/schema/0'],
    ['', 'invalid-request', '/document'],
  ])('refuses the document %s with 400', async (document, code, at) => {
    const { status, body } = await send(fixture.root, document);
    expect([status, body.errors?.[0]?.path]).toEqual([400, at]);
    if (document !== '') expect(body.code).toBe(code);
  });
});

test('refuses a document with SQL from an Editor with 403 and accepts it from an Admin', async () => {
  const document = documentOf([{ name: 'stock', quality: [{ type: 'sql', query: 'select 1', mustBe: 1 }] }]);
  for (const dryRun of [true, false]) {
    const { status, body } = await send(editor, document, { dryRun });
    expect([status, body.code]).toEqual([403, 'custom-sql-rule']);
  }
  expect((await send(fixture.root, document)).status).toBe(200);
});

test('returns 404 for an unknown data source and for an unknown contract', async () => {
  const { status } = await send(fixture.root, documentOf([]), { dataSourceId: fixture.sourceId + 9 });
  expect(status).toBe(404);
  expect((await fixture.root.get(`${path}/999999/odcs`)).status).toBe(404);
});
