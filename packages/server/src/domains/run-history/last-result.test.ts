import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { addStock, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let viewer: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  await fixture.shop.query('create table alarms (watched int not null)');
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
    notificationId: first.id,
    subscriptionId: keeping,
    origin: 'Test',
    versionNumber: 1,
    startedByUserName: 'The first administrator',
    resultCount: 3,
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
    notificationId: second.id,
    versionNumber: 2,
    results: { rows: [[2]] },
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
    notificationId: run.id,
    subscriptionId: first,
  });
  const another = await subscribed(await fixture.addQuery('select 1 as one'), true);
  await fixture.runNow(another);
  expect((await of(another)).body).toEqual({ lastResult: null });
  expect((await of('x')).status).toBe(400);
});

describe('the rows of a task', () => {
  let count = 0;

  /** Creates a subscription that creates tasks and stores rows. The test controls its rows. */
  const watch = async ({ storeResults = true } = {}) => {
    count += 1;
    const key = count;
    const queryId = await fixture.addQuery(`select * from alarms where watched = ${key}`);
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds: [],
      createTasks: true,
      storeResults,
      notificationTrigger: 'Always',
    });
    return {
      id,
      queryId,
      /** Runs the subscription, or its replacement, with this number of rows. */
      runWith: async (rows: number, subscriptionId = id) => {
        await fixture.shop.query('delete from alarms where watched = $1', [key]);
        await fixture.shop.query('insert into alarms select $1 from generate_series(1, $2)', [key, rows]);
        return fixture.runNow(subscriptionId);
      },
      /** Returns the id of the newest task of a subscription. */
      taskOf: async (subscriptionId = id): Promise<number> =>
        (await fixture.root.get(`/svc/api/tasks?state=All&subscriptionId=${subscriptionId}&sort=-id`)).body
          .items[0].id,
      /** Returns the run whose rows the query reports for a task. */
      lastRunOf: async (taskId: number): Promise<number> =>
        (await viewer.get(`/svc/api/queries/${queryId}/last-result?taskId=${taskId}`)).body.lastResult
          .notificationId,
      /** Returns the number of rows that the query reports for a task; null: no rows. */
      rowsOf: async (taskId: number, client = viewer): Promise<number | null> => {
        const { status, body } = await client.get(`/svc/api/queries/${queryId}/last-result?taskId=${taskId}`);
        expect(status).toBe(200);
        const task = (await client.get(`/svc/api/tasks/${taskId}`)).body;
        // The page of a task shows its rows first exactly if it has some.
        if (task.queryId === queryId) expect(task.hasStoredRows).toBe(body.lastResult !== null);
        return body.lastResult === null ? null : body.lastResult.results.rows.length;
      },
    };
  };
  const act = async (taskId: number, action: 'resolve' | 'reopen') =>
    expect((await fixture.root.post(`/svc/api/tasks/${taskId}/${action}`, {})).status).toBe(204);
  const succeed = async (path: string, body?: unknown) => {
    const answer = await fixture.root.post(path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };

  test('of a reopened task include no run that ended while the task was resolved', async () => {
    const { runWith, taskOf, rowsOf } = await watch();
    await runWith(1);
    const first = await taskOf();
    await act(first, 'resolve');
    await runWith(2);
    const second = await taskOf();
    await runWith(0);
    await act(first, 'reopen');
    expect([await rowsOf(first), await rowsOf(second)]).toEqual([1, 2]);
    await runWith(3);
    expect([await rowsOf(first), await rowsOf(second)]).toEqual([3, 2]);
    await act(first, 'resolve');
    await runWith(4);
    expect([await rowsOf(first), await rowsOf(second)]).toEqual([3, 2]);
  });

  test('of a replaced subscription include no later run of the reactivated one', async () => {
    const { id, runWith, taskOf, rowsOf } = await watch();
    await runWith(1);
    const task = await taskOf();
    const path = `/svc/api/subscriptions/${id}`;
    const { id: nextId } = await succeed(`${path}/replace`, { cronExpression: yearly });
    expect(await taskOf(nextId)).toBe(task);
    expect(await rowsOf(task)).toBe(1);
    await succeed(`${path}/reactivate`);
    await runWith(2);
    const nextTask = await taskOf();
    expect([await rowsOf(task), await rowsOf(nextTask)]).toEqual([1, 2]);
    await runWith(3, nextId);
    await runWith(4);
    expect([await rowsOf(task), await rowsOf(nextTask)]).toEqual([3, 4]);
  });

  test('of a subscription replaced twice include the runs in between, also without a change of the count', async () => {
    const { id, runWith, taskOf, rowsOf, lastRunOf } = await watch();
    await runWith(1);
    const task = await taskOf();
    const replaced = async (subscriptionId: number): Promise<number> =>
      (await succeed(`/svc/api/subscriptions/${subscriptionId}/replace`, { cronExpression: yearly })).id;
    const second = await replaced(id);
    await succeed(`/svc/api/subscriptions/${id}/reactivate`);
    const between = await runWith(1, second);
    const third = await replaced(second);
    await runWith(5);
    expect(await taskOf(third)).toBe(task);
    expect([await rowsOf(task), await lastRunOf(task)]).toEqual([1, between.id]);
    const last = await runWith(2, third);
    expect([await rowsOf(task), await lastRunOf(task)]).toEqual([2, last.id]);
  });

  test('include only runs of the specified subscription', async () => {
    const { id, queryId, runWith, taskOf } = await watch();
    await runWith(1);
    const task = await taskOf();
    const next = await succeed(`/svc/api/subscriptions/${id}/replace`, { cronExpression: yearly });
    await runWith(2, next.id);
    const place = `/svc/api/queries/${queryId}/last-result?taskId=${task}&subscriptionId=`;
    for (const subscriptionId of [id, next.id])
      expect((await viewer.get(`${place}${subscriptionId}`)).body.lastResult).toMatchObject({
        subscriptionId,
      });
    expect((await viewer.get(`${place}2000000000`)).body).toEqual({ lastResult: null });
  });

  test('do not exist for a subscription that stores no rows', async () => {
    const { runWith, taskOf, rowsOf } = await watch({ storeResults: false });
    await runWith(1);
    expect(await rowsOf(await taskOf())).toBeNull();
  });

  test('are not returned for a run that the caller cannot see', async () => {
    const { runWith, taskOf, rowsOf } = await watch();
    const run = await runWith(1);
    const task = await taskOf();
    expect(await rowsOf(task)).toBe(1);
    // The run has read a source that no project of the viewer contains.
    await fixture.svc.database.query(`update svc.runs set data_source_ids = '{2000000000}' where id = $1`, [
      run.id,
    ]);
    expect([await rowsOf(task), await rowsOf(task, fixture.root)]).toEqual([null, 1]);
  });

  test('are not returned for a missing task, a task of another query and a task of a data contract', async () => {
    const { runWith, rowsOf } = await watch();
    await runWith(1);
    const other = await watch();
    await other.runWith(1);
    await addStock(fixture);
    const contract = await watchContract(fixture, { createTasks: true, recipientIds: [] });
    await contract.tick(2);
    const { items } = (await fixture.root.get(`/svc/api/tasks?contractId=${contract.id}`)).body;
    expect(items).toHaveLength(1);
    for (const taskId of [2_000_000_000, await other.taskOf(), items[0].id])
      expect(await rowsOf(taskId)).toBeNull();
  });

  test('of a project that the caller cannot read are not returned, as for a missing task', async () => {
    const { runWith, taskOf, rowsOf } = await watch();
    await runWith(1);
    const task = await taskOf();
    const { projectId } = await fixture.make('/svc/api/projects', { name: 'Elsewhere' });
    await fixture.root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    await fixture.svc.database.query('update svc.tasks set project_id = $2 where id = $1', [task, projectId]);
    expect((await viewer.get(`/svc/api/tasks/${task}`)).status).toBe(404);
    expect([await rowsOf(task), await rowsOf(task, fixture.root)]).toEqual([null, 1]);
  });

  test('are refused with 400 for a task id that is no number', async () => {
    const { queryId } = await watch();
    expect((await viewer.get(`/svc/api/queries/${queryId}/last-result?taskId=x`)).status).toBe(400);
  });
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
    savedByUserName: 'editor',
    savedAt: saved.savedAt,
  });
});
