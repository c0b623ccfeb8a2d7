import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const startMaxMs = 120_000;
let fixture: DeliveryFixture;

beforeAll(async () => {
  fixture = await startDeliveryFixture({ svc: { dashboard: { prefix: '/warp' } } });
}, startMaxMs);
afterAll(() => fixture?.close());

it('recurring jobs are named after their query, data contract or migration job', async () => {
  const { root, source, projectId, dataSourceId } = fixture;
  await source.sql('create table orders (id int primary key)');
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
  const queryId = await fixture.addQuery('select 1', 'Late orders');
  const subscriptionId = await addSubscription(root, { queryId, recipientIds: [], createTasks: true });
  const contract = await root.post('/svc/api/data-quality/contracts', {
    projectId,
    dataSourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders hold',
    cronExpression: '0 0 1 1 *',
    rules: [{ name: 'There are orders', type: 'Volume', config: { minRows: 1 } }],
  });
  expect(contract.status, contract.text).toBe(201);

  const { status, body, text } = await root.get('/warp/api/recurring?limit=200');
  expect(status, text).toBe(200);
  const titles = new Map<string, string | null>(
    body.items.map(({ key, title }: { key: string; title: string | null }) => [key, title]),
  );
  expect(titles.get(`subscription:${subscriptionId}`)).toBe('Late orders');
  expect(titles.get(`contract:${contract.body.id}`)).toBe('Orders hold');
  const others = [...titles].filter(([key]) => !/^(subscription|contract|migration):/.test(key));
  expect(others.length).toBeGreaterThan(0);
  expect(others.every(([, title]) => title === null)).toBe(true);
});
