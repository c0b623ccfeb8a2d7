import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, finishedRun, runNow } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { startWorker } from '../../../tools/test/runs/start-worker.ts';
import { workerValues } from '../../../tools/test/runs/worker-values.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf } from '../support/send-once.ts';
import { tablesWith } from '../support/stored-text.ts';

const subscriptions = '/svc/api/subscriptions';
const names = ['north', 'south', 'rest'] as const;
type Name = (typeof names)[number];

/**
 * Creates three recipients of orders, routed by the address of the seller. The address is personal data, which
 * messages mask.
 */
async function bySeller(fixture: DeliveryFixture, more: Readonly<Record<string, unknown>> = {}) {
  const { root, sink, source } = fixture;
  await source.sql('create table orders (id int, seller_email text)');
  const queryId = await fixture.addQuery('select id, seller_email from orders order by id');
  const ids = new Map<Name, number>();
  for (const name of names)
    ids.set(
      name,
      await addRecipient(root, { notificationType: 'Webhook', name, destination: `${sink.url}/${name}` }),
    );
  const idOf = (name: Name): number => ids.get(name) ?? expect.fail(`No recipient ${name}.`);
  const routing = {
    column: 'seller_email',
    routes: [
      { value: 'nora@example.org', recipientId: idOf('north') },
      { value: 'sven@example.org', recipientId: idOf('south') },
    ],
    fallbackRecipientId: idOf('rest'),
  };
  const id = await addSubscription(root, {
    queryId,
    recipientIds: [...ids.values()],
    notificationTrigger: 'Always',
    routing,
    ...more,
  });
  return {
    id,
    idOf,
    routing,
    put: async (...sellers: readonly string[]) => {
      await source.sql('truncate orders');
      for (const [index, seller] of sellers.entries())
        await source.sql(`insert into orders values (${index + 1}, '${seller}@example.org')`);
    },
    messagesTo: (name: Name) => sink.received.filter(({ path }) => path === `/${name}`).map(jsonOf),
  };
}

const idsOf = ({ records }: { readonly records?: readonly { readonly id: number }[] }) =>
  records?.map((record) => record.id);

scenario(
  ['RT-4.3-800', 'RT-4.3-801', 'RT-4.3-802', 'RT-4.3-803', 'RT-4.3-804'],
  'each of three recipients gets its own rows by unmasked cells, sent masked, and unrouted rows are counted',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, routing, put, messagesTo } = await bySeller(fixture);
    await put('nora', 'sven', 'nora', 'olga', 'nora');
    expect(await runNow(root, id)).toMatchObject({ status: 'Sent', resultCount: 5, unroutedCount: 0 });
    expect(names.map((name) => messagesTo(name).map(idsOf))).toEqual([[[1, 3, 5]], [[2]], [[4]]]);
    expect(messagesTo('north')[0]).toMatchObject({ totalRecords: 3 });
    expect(JSON.stringify(names.map(messagesTo))).not.toContain('nora@');

    const noFallback = { routing: { ...routing, fallbackRecipientId: null } };
    expect((await root.patch(`${subscriptions}/${id}`, noFallback)).status).toBe(200);
    await put('olga', 'sven');
    expect(await runNow(root, id)).toMatchObject({ status: 'Sent', unroutedCount: 1 });
    expect(names.map((name) => messagesTo(name).length)).toEqual([1, 2, 1]);
    await runNow(root, id);
    const { items } = (await root.get('/svc/api/notices')).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['RowsUnrouted']);
    expect(items[0].text).toContain('1 row');

    await put('olga', 'olga');
    expect(await runNow(root, id)).toMatchObject({ status: 'Silenced', unroutedCount: 2, deliveries: [] });
  },
);

scenario(
  ['RT-4.3-805', 'RT-4.3-806', 'RT-4.3-810'],
  'values of routes are visible only to writers and stored in no table, and a preview shows one recipient',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc } = fixture;
    const { id, idOf, routing, put } = await bySeller(fixture);
    await createUser(svc.database, 'vera', 'Viewer');
    const viewer = await signIn(svc, 'vera');
    expect((await root.get(`${subscriptions}/${id}/routes`)).body).toEqual({ routes: routing.routes });
    expect((await viewer.get(`${subscriptions}/${id}/routes`)).status).toBe(403);
    const { body } = await viewer.get(`${subscriptions}/${id}`);
    expect(body.routing).toEqual({
      column: 'seller_email',
      routeCount: 2,
      fallbackRecipientId: idOf('rest'),
    });
    await put('nora', 'sven');
    await runNow(root, id);
    expect(await tablesWith(svc, 'nora@')).toEqual([]);
    // Proves that the search finds a stored value.
    expect(await tablesWith(svc, 'seller_email')).not.toEqual([]);
    const preview = await viewer.post(`${subscriptions}/${id}/message-preview`, {
      source: 'DryRun',
      recipientId: idOf('south'),
    });
    expect(preview.body).toMatchObject({ totalRows: 1, routed: { recipientId: idOf('south') } });
    expect(preview.body.payloads).toMatchObject([{ recipients: [{ name: 'south' }] }]);
  },
);

scenario(
  ['RT-4.3-807', 'RT-4.3-808'],
  'routes name attached recipients, which cannot be detached, and the number of routes with XLSX files is limited',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, idOf, routing } = await bySeller(fixture);
    const patch = (change: unknown) => root.patch(`${subscriptions}/${id}`, change);
    const more = Array.from({ length: 19 }, (_, index) => ({
      value: `seller ${index}`,
      recipientId: idOf('north'),
    }));
    const xlsx = { includeAttachment: true, attachmentFormat: 'Xlsx' };
    expect((await patch({ ...xlsx, routing })).status).toBe(200);
    const refused = await patch({ routing: { ...routing, routes: [...routing.routes, ...more] } });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-routing']);
    const detached = await root.delete(`${subscriptions}/${id}/recipients/${idOf('south')}`);
    expect([detached.status, detached.body.code]).toEqual([409, 'recipient-routed']);
    expect((await patch({ routing: null })).status).toBe(200);
    expect((await root.delete(`${subscriptions}/${id}/recipients/${idOf('south')}`)).status).toBe(204);
    const stranger = await patch({ routing });
    expect([stranger.status, stranger.body.errors]).toMatchObject([
      400,
      [{ path: '/routing/routes/1/recipientId' }],
    ]);
  },
);

scenario(
  ['RT-4.3-809'],
  'a run whose process is killed after its messages are frozen sends each recipient its own rows',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Jobs:Workers': 0 });
    const { root, svc, sink } = fixture;
    const { id, put, messagesTo } = await bySeller(fixture);
    await put('nora', 'sven', 'olga');
    const worker = {
      connection: svc.testDatabase.connection,
      leaseMs: 1_500,
      values: workerValues(sink.settings),
    };
    // The service sends no message while it cannot store a delivery.
    await svc.database.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$;
      create trigger refuse before insert on svc.deliveries for each row execute function refuse()`);
    const first = await startWorker(worker);
    const { body } = await root.post(`${subscriptions}/${id}/test-run`);
    await until('three frozen messages', async () => {
      const { rows } = await svc.database.query(
        'select count(*)::int as count from svc.run_messages where run_id = $1',
        [body.id],
      );
      return rows[0].count === 3 || undefined;
    });
    await first.kill();
    await svc.database.query('drop trigger refuse on svc.deliveries');
    expect(sink.received).toEqual([]);
    await put('olga', 'nora', 'sven');
    const second = await startWorker(worker);
    expect(await finishedRun(root, body.id)).toMatchObject({ status: 'Sent', unroutedCount: 0 });
    await second.stop();
    expect(names.map((name) => messagesTo(name).map(idsOf))).toEqual([[[1]], [[2]], [[3]]]);
  },
);
