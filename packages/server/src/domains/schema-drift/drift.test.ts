import { createJobs } from '@svc/jobs';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let base: string;
beforeAll(async () => {
  fixture = await startRunFixture();
  await fixture.shop.query('create table customers (id int primary key, name text, note text)');
  base = `/svc/api/data-sources/${fixture.sourceId}`;
  await refresh();
});
afterAll(() => fixture.close());

async function refresh(): Promise<void> {
  // Removes the limit of one forced refresh in 30 s.
  await fixture.svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
  const { status, text } = await fixture.root.post(`${base}/refresh-metadata`);
  expect(status, text).toBe(200);
}

/** Changes the watched schema, refreshes it and waits until all resulting checks are over. */
async function change(sql: string): Promise<void> {
  await fixture.shop.query(sql);
  await refresh();
  await until('the checks', async () => {
    const { rows } = await fixture.svc.database.query(
      `select count(*)::int as count from svc_jobs.job
       where name = 'check-queries' and state not in ('Completed', 'Failed', 'Cancelled')`,
    );
    return rows[0].count === 0 || undefined;
  });
}

const checkOf = async (queryId: number) => (await fixture.root.get(`/svc/api/queries/${queryId}`)).body.check;
const brokenNotices = async (queryId: number): Promise<{ userName: string }[]> => {
  const { rows } = await fixture.svc.database.query(
    `select u.user_name as "userName" from svc.notices n join svc.users u on u.id = n.user_id
     where n.kind = 'QueryBroken' and n.subject_id = $1 order by n.id`,
    [queryId],
  );
  return rows;
};

describe('the list of schema changes', () => {
  test('is extended by each refresh, newest first, and can be filtered', async () => {
    await change(
      'alter table customers add column city text; alter table customers alter column id type bigint',
    );
    const { body } = await fixture.root.get(`${base}/schema-changes`);
    expect(body.items).toMatchObject([
      { kind: 'ColumnAdded', schema: 'public', table: 'customers', column: 'city', typeAfter: 'text' },
      { kind: 'ColumnRetyped', column: 'id', typeBefore: 'integer', typeAfter: 'bigint' },
    ]);
    const narrowed = await fixture.root.get(`${base}/schema-changes?kind=ColumnRetyped&table=customers`);
    expect(narrowed.body.items).toHaveLength(1);
    expect((await fixture.root.get(`${base}/schema-changes?table=orders`)).body.items).toEqual([]);
  });

  test('is unchanged if the schema did not change', async () => {
    const before = (await fixture.root.get(`${base}/schema-changes`)).body.totalCount;
    await change('select 1');
    expect((await fixture.root.get(`${base}/schema-changes`)).body.totalCount).toBe(before);
  });
});

describe('a query whose column is dropped', () => {
  test('is broken after the refresh, and its owner and the owner of a subscription are notified once', async () => {
    const queryId = await fixture.addQuery('select note from customers where id = {{id}}', {
      parameters: [{ name: 'id', type: 'Number' }],
    });
    const untouched = await fixture.addQuery('select name from customers');
    const recipientIds = [await fixture.addRecipient()];
    const subscription = { queryId, recipientIds, parameters: { id: 1 } };
    const { id: ownersOwn } = await fixture.addSubscription(subscription);
    const { id: others } = await fixture.addSubscription(subscription);
    const other = await fixture.person('ada', 'Admin');
    await fixture.svc.database.query(
      `update svc.subscriptions set owner_user_id = (select id from svc.users where user_name = 'ada') where id = $1`,
      [others],
    );
    expect(ownersOwn).not.toBe(others);

    await change('alter table customers drop column note');
    expect(await checkOf(queryId)).toMatchObject({
      verdict: 'Failed',
      message: expect.stringContaining('note'),
    });
    expect(await checkOf(untouched)).toMatchObject({ verdict: 'Passed', message: null });
    expect((await brokenNotices(queryId)).map(({ userName }) => userName).toSorted()).toEqual([
      'ada',
      'root',
    ]);
    const { body } = await other.get('/svc/api/notices');
    expect(body.items[0].text).toMatch(/can no longer run/);
    expect(JSON.stringify(body.items[0])).not.toContain('note');

    const failed = await fixture.root.get('/svc/api/queries?check=Failed');
    expect(failed.body.items.map(({ id }: { id: number }) => id)).toEqual([queryId]);
    const { body: health } = await fixture.root.get(`${base}/schema-health`);
    expect(health.brokenQueries).toMatchObject({ count: 1, items: [{ id: queryId }] });

    await change('alter table customers drop column city');
    expect(await brokenNotices(queryId)).toHaveLength(2);

    // The restored column repairs the query. Its second removal notifies again.
    await change('alter table customers add column note text');
    expect(await checkOf(queryId)).toMatchObject({ verdict: 'Passed' });
    await change('alter table customers drop column note');
    expect(await brokenNotices(queryId)).toHaveLength(4);
  });

  test('is no longer marked as broken after it is rewritten', async () => {
    const { body: listed } = await fixture.root.get('/svc/api/queries?check=Failed');
    const [{ id }] = listed.items;
    const { body: query } = await fixture.root.get(`/svc/api/queries/${id}`);
    const [{ key, dataSourceId }] = query.steps;
    const put = await fixture.root.put(`/svc/api/queries/${id}`, {
      name: query.name,
      steps: [{ key, dataSourceId, sql: 'select name from customers where id = {{id}}' }],
      parameters: query.parameters,
    });
    expect(put.status, put.text).toBe(200);
    expect(put.body.check).toBeNull();
    expect((await fixture.root.get('/svc/api/queries?check=Failed')).body.items).toEqual([]);
    expect((await fixture.root.get(`${base}/schema-health`)).body.brokenQueries.count).toBe(0);
  });
});

test('a source with old metadata is refreshed automatically, and a source without automatic refresh is not', async () => {
  const age = (hours: number | null) =>
    fixture.svc.database.query(
      `update svc.data_sources set metadata_refresh_asked_at = null,
         metadata_options = metadata_options || jsonb_build_object('refreshEveryHours', $1::int)`,
      [hours],
    );
  const jobs = createJobs({ pool: fixture.svc.database });
  const turn = () => jobs.schedules.trigger(jobs.executor, 'maintenance:refresh-schemas');
  await fixture.svc.database.query(
    `update svc.data_source_metadata set refreshed_at = now() - interval '3 hours'`,
  );
  const refreshedAt = async (): Promise<string> => {
    const { rows } = await fixture.svc.database.query(
      'select refreshed_at::text as at from svc.data_source_metadata where data_source_id = $1',
      [fixture.sourceId],
    );
    return rows[0].at;
  };
  const old = await refreshedAt();
  const turns = async (): Promise<number> => {
    const { rows } = await fixture.svc.database.query(
      `select count(*)::int as count from svc_jobs.job where name = 'refresh-schemas' and state = 'Completed'`,
    );
    return rows[0].count;
  };
  for (const hours of [null, 4]) {
    await age(hours);
    const before = await turns();
    await turn();
    await until('a turn', async () => (await turns()) > before || undefined);
    expect(await refreshedAt()).toBe(old);
  }
  await age(2);
  await turn();
  await until('the refresh', async () => (await refreshedAt()) !== old || undefined);
});

test('a source that was never read is read automatically once it is no longer new', async () => {
  const jobs = createJobs({ pool: fixture.svc.database });
  const sql = (statement: string) => fixture.svc.database.query(statement);
  const count = async (statement: string): Promise<number> =>
    (await sql(`select count(*)::int as count from ${statement}`)).rows[0].count;
  const turns = () => count(`svc_jobs.job where name = 'refresh-schemas' and state = 'Completed'`);
  const turn = async () => {
    const before = await turns();
    await jobs.schedules.trigger(jobs.executor, 'maintenance:refresh-schemas');
    await until('a turn', async () => (await turns()) > before || undefined);
  };
  await sql('update svc.data_sources set metadata_refresh_asked_at = null, created_time = now()');
  await sql('delete from svc.data_source_metadata');
  const jobCount = await count(`svc_jobs.job where name = 'refresh-schema'`);
  await turn();
  expect(await count(`svc_jobs.job where name = 'refresh-schema'`)).toBe(jobCount);
  await sql(`update svc.data_sources set created_time = now() - interval '11 minutes'`);
  await turn();
  await until('the reading', async () => (await count('svc.data_source_metadata')) > 0 || undefined);
});
