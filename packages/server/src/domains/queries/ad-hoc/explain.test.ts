import { type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: QueryFixture;
beforeAll(async () => {
  fixture = await startQueryFixture();
});
afterAll(() => fixture.close());

const explain = (as: string, sql: string, change: Record<string, unknown> = {}) =>
  fixture.app.call(as, 'POST /svc/api/queries/explain', {
    body: { projectId: fixture.restricted, steps: [{ dataSourceId: fixture.sources.shop, sql }], ...change },
  });

test('200: the plan of each step as a tree with rows and cost; what an engine refuses is told beside it', async () => {
  const { status, body, text } = await explain('editor', 'select count(*) from orders where id < {{most}}', {
    parameters: [{ name: 'most', type: 'Number' }],
    values: { most: 4711 },
    steps: [
      { dataSourceId: fixture.sources.shop, sql: 'select count(*) from orders where id < {{most}}' },
      { dataSourceId: fixture.sources.shop, sql: 'select nothing from nowhere' },
      { dataSourceId: fixture.sources.shop, sql: 'delete from orders' },
    ],
  });
  expect(status, text).toBe(200);
  const [first, second, third] = body.steps;
  expect(first).toMatchObject({
    ...{ stepOrder: 1, dataSourceName: 'Shop', engine: 'PostgreSQL', outcome: 'Explained', message: null },
    ...{ estimatedRows: 1, estimatedCost: expect.any(Number) },
  });
  expect(first.nodes[0]).toMatchObject({ depth: 0, label: 'Aggregate', estimatedRows: 1 });
  expect(first.nodes.map(({ label }: { label: string }) => label).join()).toContain('orders');
  expect(JSON.stringify(first)).not.toContain('4711');
  expect(second).toMatchObject({
    outcome: 'Refused',
    message: expect.stringContaining('nowhere'),
    nodes: [],
  });
  expect(second.position).toMatchObject({ line: 1 });
  expect(third).toMatchObject({ outcome: 'Refused', nodes: [] });
});

test('200: a statement that has no plan says so', async () => {
  const { body } = await explain('editor', 'show server_version');
  expect(body.steps).toMatchObject([{ outcome: 'NotOffered', nodes: [], message: expect.any(String) }]);
});

test('400: a parameter without a value, and a query without steps', async () => {
  const unbound = await explain('editor', 'select {{most}}', {
    parameters: [{ name: 'most', type: 'Number' }],
  });
  expect([unbound.status, unbound.body.code]).toEqual([400, 'missing-parameter']);
  const empty = await explain('editor', '', { steps: [] });
  expect([empty.status, empty.body.code]).toEqual([400, 'query-empty']);
});

test('403 and 404: only who may save SQL asks about SQL that nobody saved', async () => {
  expect((await explain('viewer', 'select 1')).status).toBe(403);
  expect((await explain('stranger', 'select 1')).status).toBe(404);
});
