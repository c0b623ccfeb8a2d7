import { type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
beforeAll(async () => {
  fixture = await startQueryFixture();
});
beforeEach(() => fixture.database.query('delete from svc.own_runs'));
afterAll(() => fixture.close());

const runs = '/svc/api/queries/own-runs';
const list = async (as: string, query = '') => (await fixture.app.call(as, `GET ${runs}${query}`)).body;
const runDraft = (sql: string, as = 'editor', extent = 'Whole') =>
  fixture.app.call(as, `POST /svc/api/queries/preview?extent=${extent}`, {
    body: { projectId: fixture.restricted, steps: [{ dataSourceId: fixture.sources.shop, sql }] },
  });
const addQuery = async (sql: string): Promise<number> => {
  const { body } = await fixture.app.call('editor', 'POST /svc/api/queries', {
    body: {
      projectId: fixture.restricted,
      name: 'Kept',
      steps: [{ dataSourceId: fixture.sources.shop, sql }],
    },
  });
  return body.id;
};

describe('200', () => {
  test('drafts and saved queries that a user ran are in the history of this user only, newest first', async () => {
    await runDraft('select 1 as one');
    const id = await addQuery('select id from orders limit 3');
    await fixture.app.call('editor', `POST /svc/api/queries/${id}/preview?extent=Whole`, { body: {} });
    const { items, totalCount } = await list('editor');
    expect(totalCount).toBe(2);
    expect(items).toMatchObject([
      {
        queryId: id,
        queryName: 'Kept',
        versionNumber: 1,
        outcome: 'Succeeded',
        rowCount: 3,
        steps: [{ dataSourceName: 'Shop', sql: 'select id from orders limit 3' }],
      },
      { queryId: null, versionNumber: null, outcome: 'Succeeded', steps: [{ sql: 'select 1 as one' }] },
    ]);
    expect((await list('viewer')).totalCount).toBe(0);
    expect((await list('editor', `?queryId=${id}`)).totalCount).toBe(1);
  });

  test('a failed run shows the reason in a message that repeats no data', async () => {
    await runDraft('select email::int from customers');
    await runDraft("select ('a secret' || id)::int from orders");
    const { items } = await list('editor');
    expect(items).toHaveLength(2);
    for (const item of items) expect(item).toMatchObject({ outcome: 'Failed', rowCount: null });
    const [{ message }] = items;
    expect(message).not.toContain('secret');
    expect(message.length).toBeGreaterThan(3);
  });

  test('a page that a program reads does not count as a run of the user', async () => {
    await runDraft('select 1', 'editor', 'Page');
    expect((await list('editor')).totalCount).toBe(0);
  });

  test('a refused run is not recorded', async () => {
    expect((await runDraft('select 1', 'viewer')).status).toBe(403);
    expect((await list('viewer')).totalCount).toBe(0);
  });

  test('the fifty newest runs of each user are retained, independent of the runs of other users', async () => {
    await runDraft('select 0 as first');
    const userId = (await fixture.database.query<{ user_id: number }>('select user_id from svc.own_runs'))
      .rows[0]?.user_id;
    await fixture.database.query(
      `insert into svc.own_runs (user_id, project_id, steps, outcome, duration_ms)
       select $1, $2, '[]', 'Succeeded', 1 from generate_series(1, 49)`,
      [userId, fixture.restricted],
    );
    expect((await list('editor')).totalCount).toBe(50);
    await runDraft('select 51 as last');
    const { items, totalCount } = await list('editor', '?pageSize=200');
    expect(totalCount).toBe(50);
    expect(items[0].steps[0].sql).toBe('select 51 as last');
    expect(JSON.stringify(items)).not.toContain('select 0 as first');
  });

  test('runs in a project that the user can no longer read are not listed', async () => {
    await runDraft('select 1');
    expect((await list('editor')).totalCount).toBe(1);
    await fixture.database.query(
      'update svc.own_runs set user_id = (select id from svc.users where user_name = $1)',
      ['stranger'],
    );
    expect((await list('stranger')).totalCount).toBe(0);
  });
});
