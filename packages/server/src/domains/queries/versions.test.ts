import { type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import type { Call } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: QueryFixture;
let call: Call;

beforeAll(async () => {
  fixture = await startQueryFixture();
  call = fixture.app.call;
});
afterAll(() => fixture.close());

const parallelSaves = 50;

const definition = (change: Record<string, unknown> = {}) => ({
  name: 'Orders',
  description: 'All of them',
  steps: [{ dataSourceId: fixture.sources.shop, sql: 'select id from orders' }],
  finalQuery: 'select * from step1',
  parameters: [{ name: 'days', type: 'Number', defaultValue: 7 }],
  ...change,
});
const created = async () => {
  const { status, body, text } = await call('editor', 'POST /svc/api/queries', {
    body: { projectId: fixture.restricted, ...definition() },
  });
  expect(status, text).toBe(201);
  return body;
};
const save = (id: number, change: Record<string, unknown> = {}) =>
  call('editor', `PUT /svc/api/queries/${id}`, { body: definition(change) });
const versionsOf = async (id: number) => {
  const { rows } = await fixture.database.query(
    `select version_number as number, status, change_reason as reason from svc.query_versions
      where query_id = $1 order by version_number`,
    [id],
  );
  return rows;
};
const eventsOf = async (id: number) => {
  const { rows } = await fixture.database.query(
    "select event from svc.audit_events where subject_kind = 'query' and subject_id = $1 order by id",
    [id],
  );
  return rows.map(({ event }) => event);
};

test('a save without a change creates no version, no new ETag and no event', async () => {
  const query = await created();
  const saved = await save(query.id, { changeReason: 'Nothing, really' });
  expect(saved).toMatchObject({ status: 200, body: query });
  expect(saved.headers.get('etag')).toBe('"1"');
  expect(await versionsOf(query.id)).toMatchObject([{ number: 1, status: 'Active' }]);
  expect(await eventsOf(query.id)).toEqual(['queries.query_created']);
});

test.each([
  ['name', { name: 'Orders of today' }],
  ['description', { description: null }],
  ['final query', { finalQuery: null }],
  ['parameters', { parameters: [] }],
  ['steps', { steps: [] }],
])('a save that changes the %s creates exactly one version, with its reason', async (_part, change) => {
  const query = await created();
  const saved = await save(query.id, { ...change, changeReason: 'Asked for' });
  expect(saved).toMatchObject({ status: 200, body: { version: 2, versionNumber: 2 } });
  expect(await versionsOf(query.id)).toEqual([
    { number: 1, status: 'Archived', reason: null },
    { number: 2, status: 'Active', reason: 'Asked for' },
  ]);
});

test('an omitted field of a parameter and its default value are the same definition', async () => {
  const query = await created();
  const bare = { name: 'days', type: 'Number', defaultValue: 7 };
  for (const parameter of [
    { ...bare, isRequired: true },
    { ...bare, description: null },
    { defaultValue: 7, type: 'Number', name: 'days' },
  ])
    expect((await save(query.id, { parameters: [parameter] })).body.versionNumber).toBe(1);
  expect((await save(query.id, { parameters: [{ ...bare, isRequired: false }] })).body.versionNumber).toBe(2);
  await save(query.id, { parameters: [{ name: 'days', type: 'Number' }] });
  const same = await save(query.id, { parameters: [{ name: 'days', type: 'Number', defaultValue: null }] });
  expect(same.body.versionNumber).toBe(3);
});

test('a lock creates no version', async () => {
  const query = await created();
  await call('editor', `POST /svc/api/queries/${query.id}/lock`, { body: { isLocked: true } });
  expect(await versionsOf(query.id)).toHaveLength(1);
});

test('a step retains its key and its id through saves that move and change it', async () => {
  const query = await created();
  const [step] = query.steps;
  const sources = { dataSourceId: fixture.sources.shop };
  const { body } = await save(query.id, {
    steps: [
      { ...sources, sql: 'select 1 as n' },
      { ...sources, sql: 'select 2 as n', key: step.key },
    ],
  });
  expect(body.steps[1]).toMatchObject({ id: step.id, key: step.key, order: 2, sql: 'select 2 as n' });
  expect(body.steps[0].key).not.toBe(step.key);
  const twice = await save(query.id, {
    steps: [
      { ...sources, sql: 'select 1', key: step.key },
      { ...sources, sql: 'select 2', key: step.key.toUpperCase() },
    ],
  });
  expect(twice).toMatchObject({ status: 400, body: { errors: [{ path: '/steps/1/key' }] } });
});

test('parallel saves get consecutive numbers, and only the last is active', async () => {
  const query = await created();
  const saves = await Promise.all(
    Array.from({ length: parallelSaves }, (_, n) => save(query.id, { finalQuery: `select ${n} as n` })),
  );
  expect(saves.map(({ status }) => status)).toEqual(saves.map(() => 200));
  const versions = await versionsOf(query.id);
  expect(versions.map(({ number }) => number)).toEqual(
    Array.from({ length: parallelSaves + 1 }, (_, n) => n + 1),
  );
  expect(versions.filter(({ status }) => status === 'Active')).toMatchObject([{ number: parallelSaves + 1 }]);
  expect(saves.map(({ body }) => body.versionNumber).sort((a, b) => a - b)).toEqual(
    versions.slice(1).map(({ number }) => number),
  );
});
