import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
let viewer: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
});
afterAll(() => fixture.close());

const last = (queryId: number, client = viewer) => client.get(`/svc/api/queries/${queryId}/last-result`);
const subscribed = async (queryId: number, storeResults: boolean) =>
  (await fixture.addSubscription({ queryId, storeResults, recipientIds: [await fixture.addRecipient()] })).id;

test('the newest stored rows of a run are returned with the version and the user that started it', async () => {
  const id = await fixture.addQuery('select id, email from orders order by id');
  expect((await last(id)).body).toEqual({ lastResult: null });
  const keeping = await subscribed(id, true);
  const first = await fixture.runNow(keeping);
  expect((await last(id)).body.lastResult).toMatchObject({
    ...{ notificationId: first.id, subscriptionId: keeping, origin: 'Test', versionNumber: 1 },
    ...{ startedByUserName: 'The first administrator', resultCount: 3 },
    results: {
      columns: ['id', 'email'],
      rows: [
        [1, expect.not.stringContaining('c1@')],
        [2, expect.any(String)],
        [3, expect.any(String)],
      ],
    },
  });

  const steps = [{ dataSourceId: fixture.sourceId, sql: 'select id from orders where id = 2' }];
  await fixture.root.put(`/svc/api/queries/${id}`, { name: 'Changed', steps });
  const second = await fixture.runNow(keeping);
  // A run that stores no rows does not replace the last result.
  await fixture.runNow(await subscribed(id, false));
  expect((await last(id)).body.lastResult).toMatchObject({
    ...{ notificationId: second.id, versionNumber: 2, results: { rows: [[2]] } },
  });
});

test('rows of a run that the caller cannot see are not returned', async () => {
  const id = await fixture.addQuery('select id from orders');
  await fixture.runNow(await subscribed(id, true));
  const { projectId, sourceId } = fixture;
  expect((await last(id)).body.lastResult).not.toBeNull();
  // After the source leaves the project, only callers with access to it elsewhere may see its rows.
  const { rows } = await fixture.svc.database.query(
    'delete from svc.project_data_sources where project_id = $1 and data_source_id = $2 returning data_source_id',
    [projectId, sourceId],
  );
  expect(rows).toHaveLength(1);
  try {
    expect((await last(id)).body).toEqual({ lastResult: null });
    expect((await last(id, fixture.root)).body.lastResult).not.toBeNull();
  } finally {
    await fixture.svc.database.query(
      'insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)',
      [projectId, sourceId],
    );
  }
});

test('only runs of the specified subscription are considered', async () => {
  const id = await fixture.addQuery('select id from orders');
  const [first, second] = [await subscribed(id, true), await subscribed(id, true)];
  const run = await fixture.runNow(first);
  await fixture.runNow(second);
  const of = (subscriptionId: unknown) =>
    viewer.get(`/svc/api/queries/${id}/last-result?subscriptionId=${subscriptionId}`);
  expect((await of(first)).body.lastResult).toMatchObject({
    ...{ notificationId: run.id, subscriptionId: first },
  });
  const another = await subscribed(await fixture.addQuery('select 1 as one'), true);
  await fixture.runNow(another);
  expect((await of(another)).body).toEqual({ lastResult: null });
  expect((await of('x')).status).toBe(400);
});

test('the last result of an unknown query gets 404', async () => {
  expect((await last(2_000_000_000)).status).toBe(404);
});

test('a query names the user who last saved its content, even after another user locked it', async () => {
  const id = await fixture.addQuery('select 1 as one');
  const editor = await fixture.person('editor', 'Editor');
  const before = (await viewer.get(`/svc/api/queries/${id}`)).body;
  expect(before.savedByUserName).toBe('The first administrator');
  expect(before.createdByUserName).toBe('The first administrator');
  const steps = [{ dataSourceId: fixture.sourceId, sql: 'select 2 as two' }];
  const saved = (await editor.put(`/svc/api/queries/${id}`, { name: 'Saved', steps })).body;
  expect(saved.savedByUserName).toBe('editor');
  expect(saved.createdByUserName).toBe('The first administrator');
  await fixture.root.post(`/svc/api/queries/${id}/lock`, { isLocked: true });
  expect((await viewer.get(`/svc/api/queries/${id}`)).body).toMatchObject({
    ...{ savedByUserName: 'editor', savedAt: saved.savedAt },
  });
});
