import { createJobs } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, runNow } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { addDataSource, startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

/** Waits for a notice of a kind about a record. */
const noticed = (client: HttpClient, kind: string, subjectId: number): Promise<{ text: string }> =>
  until(`the notice ${kind}`, async () =>
    (await client.get('/svc/api/notices?pageSize=200')).body.items.find(
      (notice: { kind: string; subjectId: number }) => notice.kind === kind && notice.subjectId === subjectId,
    ),
  );

/** Creates a record from its required members. */
async function create(client: HttpClient, path: string, body: object): Promise<number> {
  const { status, text, body: created } = await client.post(path, body);
  expect(status, text).toBe(201);
  return created.id;
}

/** Creates a table, reads its metadata, and adds a recipient. */
async function orders({ root, source, sink, dataSourceId }: DeliveryFixture) {
  await source.sql(
    'create table orders (id int primary key, status text); insert into orders values (1, null)',
  );
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
  return addRecipient(root, { notificationType: 'Webhook', destination: sink.urlOf('/default') });
}

scenario(
  ['RT-4.3-1230'],
  'the owner of a subscription with only the required members is notified if its query fails',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source, addQuery } = fixture;
    const recipientId = await orders(fixture);
    const queryId = await addQuery('select id from orders');
    const id = await create(root, '/svc/api/subscriptions', {
      queryId,
      cronExpression: '0 0 1 1 *',
      recipientIds: [recipientId],
    });
    await source.sql('drop table orders');
    expect((await runNow(root, id)).status).toBe('Failed');
    expect((await noticed(root, 'RunFailed', id)).text).toContain('orders');
  },
);

scenario(
  ['RT-4.3-1212', 'RT-4.3-1231'],
  'the owner of a data contract with only the required members is notified if a rule fails',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, projectId, dataSourceId } = fixture;
    await orders(fixture);
    const id = await create(root, '/svc/api/data-quality/contracts', {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'orders',
      name: 'Orders',
      rules: [{ name: 'Every order has a status', type: 'NullRate', columns: ['status'] }],
    });
    const { schedule } = (await root.get(`/svc/api/data-quality/contracts/${id}`)).body;
    expect(schedule).toMatchObject({
      cronExpression: '0 6 * * *',
      nextTimes: [expect.any(String), {}, {}, {}, {}],
    });
    const jobs = createJobs({ pool: svc.database });
    await jobs.schedules.trigger(jobs.executor, `contract:${id}`);
    expect((await noticed(root, 'ContractFailed', id)).text).toContain('Every order has a status');
  },
);

scenario(
  ['RT-4.3-1232'],
  'the owner of a subscription is notified of the task that it opens, with the default task settings',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, addQuery } = fixture;
    await orders(fixture);
    const queryId = await addQuery('select id from orders');
    const subscription = await create(root, '/svc/api/subscriptions', {
      queryId,
      cronExpression: '0 0 1 1 *',
      recipientIds: [],
      createTasks: true,
    });
    const jobs = createJobs({ pool: svc.database });
    await jobs.schedules.trigger(jobs.executor, `subscription:${subscription}`);
    const task = await until('the task', async () => {
      const { items } = (await root.get(`/svc/api/tasks?subscriptionId=${subscription}`)).body;
      return items[0];
    });
    expect((await noticed(root, 'TaskOpened', task.id)).text).toContain('1 row');
  },
);

scenario(
  ['RT-4.3-1233'],
  'the owner of a migration job with only the required members is notified if a copy fails',
  async ({ svc, root }) => {
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true });
    const operator = await signIn(on, await addUser(svc, 'default-operator', ['MigrationOperator']));
    const source = await startSource();
    await source.sql('create table orders (id int primary key); create table copied (id int primary key)');
    const dataSourceId = await addDataSource(root, await addProject(root, 'Copied'), source.connection);
    await root.put(`/svc/api/data-sources/${dataSourceId}/migration-writes`, { isAllowed: true });
    const id = await create(operator, '/svc/api/migrations/jobs', {
      name: 'Orders',
      dataSourceId,
      destinationDataSourceId: dataSourceId,
      source: { kind: 'Table', schema: 'public', table: 'orders' },
      destination: { schema: 'public', table: 'copied' },
      mode: 'Insert',
    });
    await source.sql('drop table copied');
    expect((await operator.post(`/svc/api/migrations/jobs/${id}/run`, {})).status).toBe(202);
    expect((await noticed(operator, 'MigrationFailed', id)).text).toContain('failed');
    await on.close();
    await source.close();
  },
);

scenario(
  ['RT-4.3-1234'],
  'the author of a query with only the required members is notified if a schema change breaks it',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, source, addQuery, dataSourceId } = fixture;
    await orders(fixture);
    const queryId = await addQuery('select status from orders');
    await source.sql('alter table orders drop column status');
    await svc.sql('update svc.data_sources set metadata_refresh_asked_at = null');
    expect((await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`)).status).toBe(200);
    expect((await noticed(root, 'QueryBroken', queryId)).text).toContain('can no longer run');
  },
);
