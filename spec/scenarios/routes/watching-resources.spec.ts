import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const sources = '/svc/api/data-sources';
const recipients = '/svc/api/recipients';
const subscriptions = '/svc/api/subscriptions';
const end = (table: string, column: string) => ({ schema: 'public', table, columns: [column] });

scenario(
  ['RT-2-08', 'RT-4.3-16'],
  'a data source can be tested, created, listed, changed, read for its tables, related and ended over REST',
  async ({ root, onEnd }) => {
    const watched = await startSource();
    onEnd(watched.close);
    await watched.sql('create table orders (id int primary key); create table lines (order_id int)');
    const { connection } = watched;
    const draft = { engine: 'PostgreSQL', connection };

    // Test the connection of a valid draft, of an invalid draft and of the saved source.
    expect((await root.post(`${sources}/test-connection`, draft)).body).toMatchObject({ ok: true });
    const nowhere = { ...draft, connection: { ...connection, database: 'nowhere' } };
    const failed = await root.post(`${sources}/test-connection`, nowhere);
    expect(failed.body).toMatchObject({ ok: false, message: expect.stringContaining('nowhere') });
    const made = await root.post(sources, { name: 'Shop', ...draft });
    expect(made.status, made.text).toBe(201);
    const path = `${sources}/${made.body.id}`;
    expect((await root.post(`${path}/test`)).body).toMatchObject({ ok: true });

    // List, change and read the record.
    const listed = async () => (await root.get(sources)).body.items.map(({ name }: { name: string }) => name);
    expect(await listed()).toEqual(['Shop']);
    const { status, body } = await root.patch(path, { name: 'Shop of ours' });
    expect([status, body.name, await listed()]).toEqual([200, 'Shop of ours', ['Shop of ours']]);
    expect((await root.get(path)).body).toMatchObject({ engine: 'PostgreSQL', name: 'Shop of ours' });

    // Metadata stays unchanged until the next refresh.
    const tables = async () =>
      (await root.get(`${path}/metadata`)).body.tables.map(({ name }: { name: string }) => name);
    expect(await tables()).toEqual(['lines', 'orders']);
    await watched.sql('create table places (id int)');
    expect(await tables()).toEqual(['lines', 'orders']);
    expect((await root.post(`${path}/refresh-metadata`)).status).toBe(200);
    expect(await tables()).toEqual(['lines', 'orders', 'places']);

    // Relationships and the health of the schema.
    const health = async () => (await root.get(`${path}/schema-health`)).body;
    expect(await health()).toMatchObject({ tableCount: 3, relationshipCount: 0 });
    const ends = { source: end('lines', 'order_id'), target: end('orders', 'id') };
    const related = await root.post(`${path}/relationships`, ends);
    expect(related.status, related.text).toBe(201);
    expect((await root.get(`${path}/relationships`)).body).toMatchObject({ items: [ends], totalCount: 1 });
    expect(await health()).toMatchObject({ relationshipCount: 1, componentCount: 2 });
    expect((await root.delete(`${path}/relationships/${related.body.id}`)).status).toBe(204);
    expect(await health()).toMatchObject({ relationshipCount: 0 });

    expect((await root.delete(path)).status).toBe(204);
    expect([await listed(), (await root.get(path)).status]).toEqual([[], 404]);
  },
);

scenario(
  ['RT-2-10'],
  'recipients and subscriptions can be created, changed and ended over REST, and their runs and tasks read and handled',
  async ({ deliver }) => {
    const { root, source, sink, addQuery } = await deliver();
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2)');
    const queryId = await addQuery('select id from alarms');

    const destination = `${sink.url}/first`;
    const input = { notificationType: 'Webhook', name: 'Desk', destination };
    const made = await root.post(recipients, input);
    expect(made.status, made.text).toBe(201);
    const recipientId = made.body.id;
    const path = `${recipients}/${recipientId}`;
    const changed = await root.put(path, { ...input, name: 'Service desk' });
    expect([changed.status, (await root.get(path)).body.name]).toEqual([200, 'Service desk']);
    expect((await root.get(`${recipients}?search=service`)).body).toMatchObject({
      items: [{ id: recipientId }],
      totalCount: 1,
    });

    const id = await addSubscription(root, { queryId, recipientIds: [recipientId], createTasks: true });
    const subscription = `${subscriptions}/${id}`;
    const asked = await root.patch(subscription, { minimumRowCount: 2 });
    expect([asked.status, (await root.get(subscription)).body.minimumRowCount]).toEqual([200, 2]);
    expect((await root.get(subscriptions)).body).toMatchObject({ items: [{ id }], totalCount: 1 });

    const run = await runNow(root, id);
    expect([run.status, sink.received.map(({ path: at }) => at)]).toEqual(['Sent', ['/first']]);
    expect((await root.get('/svc/api/notifications')).body).toMatchObject({
      items: [{ id: run.id, status: 'Sent', resultCount: 2 }],
      totalCount: 1,
    });
    expect((await root.get(`/svc/api/notifications/${run.id}`)).body).toMatchObject({
      deliveries: [{ state: 'Sent' }],
    });

    const [task] = (await root.get('/svc/api/tasks')).body.items;
    expect(task).toMatchObject({ subscriptionId: id, state: 'Open', latestResultCount: 2 });
    expect((await root.post(`/svc/api/tasks/${task.id}/resolve`, {})).status).toBe(204);
    expect((await root.get(`/svc/api/tasks/${task.id}`)).body).toMatchObject({ state: 'Resolved' });

    expect((await root.delete(subscription)).status).toBe(204);
    expect((await root.get(subscriptions)).body.items).toEqual([]);
    expect((await root.delete(path)).status).toBe(204);
    expect((await root.get(path)).status).toBe(404);
  },
);
