import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const subscriptions = '/svc/api/subscriptions';
let fixture: RunFixture;
let viewer: HttpClient;
let queryId: number;
let recipientIds: number[];
beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  queryId = await fixture.addQuery('select id, email, total from orders order by id');
  recipientIds = [await fixture.addRecipient('/one'), await fixture.addRecipient('/two')];
});
afterAll(() => fixture.close());

const at = (index: number): number => recipientIds[index] ?? expect.fail('No such recipient.');
const route = (value: string, index = 0) => ({ value, recipientId: at(index) });
const routing = (...values: readonly string[]) => ({
  column: 'email',
  routes: values.map((value) => route(value)),
});
const input = (more: Readonly<Record<string, unknown>>) => ({
  queryId,
  recipientIds,
  cronExpression: '0 6 1 1 *',
  notificationTrigger: 'Always',
  ...more,
});
const create = (more: Readonly<Record<string, unknown>>) => fixture.root.post(subscriptions, input(more));
const make = async (more: Readonly<Record<string, unknown>>) =>
  (await fixture.addSubscription(input(more))).id;
const paths = (body: { errors?: { path: string }[] }) => body.errors?.map((error) => error.path);
const many = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`);

/** Archives a recipient. The subscription is archived for this time, because a live one prevents it. */
async function archiveOne(id: number, recipientId: number): Promise<void> {
  expect((await fixture.root.delete(`${subscriptions}/${id}`)).status).toBe(204);
  expect((await fixture.root.delete(`/svc/api/recipients/${recipientId}`)).status).toBe(204);
  expect((await fixture.root.post(`${subscriptions}/${id}/reactivate`)).status).toBe(200);
}

describe('200', () => {
  test('the example of the guide is accepted', async () => {
    const guide = path.join(import.meta.dirname, '../../../../../docs/guides/own-rows.md');
    const [, example = '{}'] = /```json\n([\s\S]*?)```/.exec(readFileSync(guide, 'utf8')) ?? [];
    const named = example.replace('"recipientId": 7', `"recipientId": ${at(0)}`);
    const { routing: exampleRouting } = JSON.parse(
      named.replace('"recipientId": 8', `"recipientId": ${at(1)}`),
    );
    const { status, body } = await create({ routing: exampleRouting });
    expect([status, body.routing]).toEqual([
      201,
      { column: 'region', routeCount: 2, fallbackRecipientId: null },
    ]);
  });

  test('the values are visible to users who can write, and the column and the count to all readers', async () => {
    const id = await make({ routing: { ...routing('c1@example.org', 'b'), fallbackRecipientId: at(1) } });
    const shown = { column: 'email', routeCount: 2, fallbackRecipientId: at(1) };
    for (const reader of [viewer, fixture.root]) {
      const { body } = await reader.get(`${subscriptions}/${id}`);
      expect(body.routing).toEqual(shown);
      expect(JSON.stringify(body)).not.toContain('c1@example.org');
    }
    expect((await fixture.root.get(`${subscriptions}/${id}/routes`)).body).toEqual({
      routes: [route('c1@example.org'), route('b')],
    });
    const { items } = (await viewer.get(`${subscriptions}?pageSize=200`)).body;
    expect(items.find((one: { id: number }) => one.id === id).routing).toEqual(shown);
  });

  test('the routing is null and the routes are empty if rows are not routed', async () => {
    const id = await make({});
    expect((await fixture.root.get(`${subscriptions}/${id}`)).body.routing).toBeNull();
    expect((await fixture.root.get(`${subscriptions}/${id}/routes`)).body).toEqual({ routes: [] });
  });

  test('the routing is replaced as a whole, retained if it is omitted, and removed with null', async () => {
    const id = await make({ routing: routing('a') });
    const patch = async (body: unknown) => (await fixture.root.patch(`${subscriptions}/${id}`, body)).body;
    const before = (await fixture.root.get(`${subscriptions}/${id}`)).body.version;
    expect((await patch({ routing: routing('a') })).version).toBe(before);
    const changed = await patch({ routing: { ...routing('b', 'c'), column: 'id' } });
    expect(changed).toMatchObject({ version: before + 1, routing: { column: 'id', routeCount: 2 } });
    expect((await patch({ maxRows: 5 })).routing).toEqual(changed.routing);
    expect((await patch({ routing: null })).routing).toBeNull();
    const { rows } = await fixture.svc.database.query(
      `select detail from svc.audit_events where subject_kind = 'subscription' and subject_id = $1
         and event = 'subscriptions.subscription_changed' order by id`,
      [id],
    );
    expect(rows.map(({ detail }) => detail)).toEqual([
      { changed: ['routing'] },
      { changed: ['maxRows'] },
      { changed: ['routing'] },
    ]);
  });

  test('the routing is transferred to the replacing subscription, with its archived recipients', async () => {
    const goneId = await fixture.addRecipient('/gone');
    const { body } = await create({
      recipientIds: [...recipientIds, goneId],
      routing: { column: 'email', routes: [route('a'), { value: 'b', recipientId: goneId }] },
    });
    await archiveOne(body.id, goneId);
    const next = await fixture.root.post(`${subscriptions}/${body.id}/replace`, {
      cronExpression: '0 7 1 1 *',
    });
    expect(next.status).toBe(201);
    expect(next.body.routing).toEqual(body.routing);
    expect((await fixture.root.get(`${subscriptions}/${next.body.id}/routes`)).body.routes).toHaveLength(2);
  });

  test('a preview shows the message of the selected recipient, and the row count of each recipient', async () => {
    const id = await make({
      routing: { column: 'email', routes: [route('c1@example.org'), route('c2@example.org', 1)] },
    });
    const preview = async (more: unknown, by: HttpClient = viewer) =>
      (await by.post(`${subscriptions}/${id}/message-preview`, { source: 'DryRun', ...Object(more) })).body;
    const first = await preview({});
    expect(first).toMatchObject({
      outcome: 'Notify',
      totalRows: 1,
      routed: {
        recipientId: at(0),
        unroutedCount: 1,
        recipients: [
          { id: at(0), rowCount: 1 },
          { id: at(1), rowCount: 1 },
        ],
      },
    });
    expect(JSON.parse(first.payloads[0].body).records).toMatchObject([{ id: 1 }]);
    const second = await preview({ recipientId: at(1) });
    expect(second.payloads).toHaveLength(1);
    expect(second.payloads[0].recipients).toMatchObject([{ id: at(1) }]);
    expect(JSON.parse(second.payloads[0].body).records).toMatchObject([{ id: 2 }]);
    const run = await fixture.runNow(id);
    for (const source of [{}, { notificationId: run.id }]) {
      const last = await preview({ source: 'LastRun', recipientId: at(1), ...source });
      expect(last).toMatchObject({ notificationId: run.id, totalRows: 1, routed: { unroutedCount: 1 } });
      expect(JSON.parse(last.payloads[0].body).records).toMatchObject([{ id: 2 }]);
    }
    const other = await fixture.root.post(`${subscriptions}/${id}/message-preview`, {
      source: 'LastRun',
      notificationId: 2_000_000_000,
    });
    expect(other.status).toBe(409);
  });

  test('a preview reports that no recipient would get a message', async () => {
    const id = await make({ routing: routing('nobody') });
    const { body } = await fixture.root.post(`${subscriptions}/${id}/message-preview`, { source: 'DryRun' });
    expect(body).toMatchObject({
      outcome: 'Silenced',
      payloads: [],
      routed: { recipientId: null, recipients: [], unroutedCount: 3 },
    });
  });
});

describe('400', () => {
  test('is returned for a repeated value, and for a recipient that is not attached', async () => {
    const stranger = await fixture.addRecipient('/stranger');
    const { status, body } = await create({
      routing: {
        column: 'email',
        routes: [route('a'), route('a', 1), { value: 'b', recipientId: stranger }],
        fallbackRecipientId: stranger,
      },
    });
    expect([status, body.code]).toEqual([400, 'invalid-routing']);
    expect(paths(body)).toEqual([
      '/routing/routes/1/value',
      '/routing/routes/2/recipientId',
      '/routing/fallbackRecipientId',
    ]);
  });

  test.each([
    ['no route', { column: 'email', routes: [] }, '/routing/routes'],
    ['no column', { column: '', routes: [{ value: 'a', recipientId: 1 }] }, '/routing/column'],
    ['an empty value', { column: 'x', routes: [{ value: '', recipientId: 1 }] }, '/routing/routes/0/value'],
    [
      'a long value',
      { column: 'x', routes: [{ value: 'x'.repeat(401), recipientId: 1 }] },
      '/routing/routes/0/value',
    ],
  ])('is returned for %s', async (_what, bad, where) => {
    const { status, body } = await create({ routing: bad });
    expect([status, paths(body)]).toEqual([400, [where]]);
  });

  test('is returned for 1,001 routes', async () => {
    expect((await create({ routing: routing(...many(1_001)) })).status).toBe(400);
  });

  test('is returned for XLSX files with more than 20 routes, regardless of which is set last', async () => {
    const xlsx = { includeAttachment: true, attachmentFormat: 'Xlsx' };
    expect((await create({ ...xlsx, routing: routing(...many(20)) })).status).toBe(201);
    const { status, body } = await create({ ...xlsx, routing: routing(...many(21)) });
    expect([status, paths(body)]).toEqual([400, ['/attachmentFormat']]);
    const id = await make({ routing: routing(...many(21)) });
    const late = await fixture.root.patch(`${subscriptions}/${id}`, xlsx);
    expect([late.status, late.body.code]).toEqual([400, 'invalid-routing']);
  });

  test('is returned for vanished rows, because their recipient is unknown', async () => {
    const { status, body } = await create({
      notificationTrigger: 'OnRowChange',
      routing: routing('a'),
      rowMemory: { keyColumns: ['id'], changes: ['New', 'Vanished'] },
    });
    expect([status, paths(body)]).toEqual([400, ['/rowMemory/changes']]);
  });
});

test('the routes get 403 for a Viewer, and 404 for an unknown subscription', async () => {
  const id = await make({ routing: routing('a') });
  expect((await viewer.get(`${subscriptions}/${id}/routes`)).status).toBe(403);
  expect((await viewer.patch(`${subscriptions}/${id}`, { routing: null })).status).toBe(403);
  expect((await fixture.root.get(`${subscriptions}/2000000000/routes`)).status).toBe(404);
  const stranger = await fixture.addRecipient('/unattached');
  const preview = { source: 'DryRun', recipientId: stranger };
  expect((await fixture.root.post(`${subscriptions}/${id}/message-preview`, preview)).status).toBe(404);
});

describe('409', () => {
  test('is returned for the removal of a recipient that has routes', async () => {
    const id = await make({ routing: { ...routing('a'), fallbackRecipientId: at(1) } });
    for (const recipientId of recipientIds) {
      const { status, body } = await fixture.root.delete(`${subscriptions}/${id}/recipients/${recipientId}`);
      expect([status, body.code]).toEqual([409, 'recipient-routed']);
    }
    await fixture.root.patch(`${subscriptions}/${id}`, { routing: routing('a') });
    expect((await fixture.root.delete(`${subscriptions}/${id}/recipients/${at(1)}`)).status).toBe(204);
  });

  test('is returned for values that cannot be decrypted, until they are entered again', async () => {
    const id = await make({ routing: routing('a') });
    await fixture.svc.database.query(
      `update svc.subscription_routes set value_sealed = 'v1.000000000000.AAAA' where subscription_id = $1`,
      [id],
    );
    const { status, body } = await fixture.root.get(`${subscriptions}/${id}/routes`);
    expect([status, body.code]).toEqual([409, 'routes-unreadable']);
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({ status: 'Failed' });
    expect(run.comment).toContain('decrypted');
    const preview = await fixture.root.post(`${subscriptions}/${id}/message-preview`, { source: 'DryRun' });
    expect([preview.status, preview.body.code]).toEqual([409, 'routes-unreadable']);
    const replaced = await fixture.root.post(`${subscriptions}/${id}/replace`, {
      cronExpression: '0 8 1 1 *',
    });
    expect([replaced.status, replaced.body.code]).toEqual([409, 'routes-unreadable']);
    expect((await fixture.root.patch(`${subscriptions}/${id}`, { routing: routing('a') })).status).toBe(200);
    expect((await fixture.root.get(`${subscriptions}/${id}/routes`)).body.routes).toEqual([route('a')]);
  });
});

test('rows of an archived recipient are sent to no recipient, not even to the fallback', async () => {
  const goneId = await fixture.addRecipient('/archived');
  const id = await make({
    recipientIds: [...recipientIds, goneId],
    routing: {
      column: 'email',
      routes: [route('c1@example.org'), { value: 'c2@example.org', recipientId: goneId }],
      fallbackRecipientId: at(1),
    },
  });
  await archiveOne(id, goneId);
  fixture.sink.received.length = 0;
  expect(await fixture.runNow(id)).toMatchObject({ status: 'Sent', unroutedCount: 1 });
  const messages = fixture.sink.received.map(({ path: to, text }) => [to, JSON.parse(text).records[0].id]);
  expect(messages.sort()).toEqual([
    ['/one', 1],
    ['/two', 3],
  ]);
});

test('no table contains a routed value in readable form or its plain hash', async () => {
  const secret = 'kestrel-4711@example.org';
  const id = await make({ routing: routing(secret) });
  await fixture.shop.query(`insert into orders values (99, '${secret}', 1)`);
  await fixture.runNow(id);
  await fixture.shop.query('delete from orders where id = 99');
  const { rows: tables } = await fixture.svc.database.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('svc', 'svc_jobs')`,
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const { name } of tables) {
    const { rows } = await fixture.svc.database.query(
      `select count(*)::int as count from ${name} t where t::text ilike '%kestrel-4711%'
         or t::text ilike '%' || encode(sha256($1::bytea), 'hex') || '%'`,
      [Buffer.from(secret)],
    );
    expect([name, rows[0].count]).toEqual([name, 0]);
  }
});
