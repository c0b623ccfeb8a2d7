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

test('an explanation contains the plan of each step as a tree with rows and cost, and the message for a refused step', async () => {
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
    stepOrder: 1,
    dataSourceName: 'Shop',
    engine: 'PostgreSQL',
    outcome: 'Explained',
    message: null,
    estimatedRows: 1,
    estimatedCost: expect.any(Number),
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

test('the explanation of a statement without a plan reports that no plan is offered', async () => {
  const { body } = await explain('editor', 'show server_version');
  expect(body.steps).toMatchObject([{ outcome: 'NotOffered', nodes: [], message: expect.any(String) }]);
});

test('an explanation gets 400 for a parameter without a value, and for a query without steps', async () => {
  const unbound = await explain('editor', 'select {{most}}', {
    parameters: [{ name: 'most', type: 'Number' }],
  });
  expect([unbound.status, unbound.body.code]).toEqual([400, 'missing-parameter']);
  const empty = await explain('editor', '', { steps: [] });
  expect([empty.status, empty.body.code]).toEqual([400, 'query-empty']);
});

test('a Viewer gets 403 for an explanation of unsaved SQL, and a stranger gets 404', async () => {
  expect((await explain('viewer', 'select 1')).status).toBe(403);
  expect((await explain('stranger', 'select 1')).status).toBe(404);
});
