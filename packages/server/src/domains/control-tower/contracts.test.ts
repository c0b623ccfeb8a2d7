import type { TowerHealthEntry } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const tower = '/svc/api/control-tower';
let fixture: RunFixture;
let stranger: HttpClient;

const sql = (statement: string, values: unknown[] = []) => fixture.svc.database.query(statement, values);
const list = async (client: HttpClient, query = ''): Promise<TowerHealthEntry[]> =>
  (await client.get(`${tower}/health?pageSize=200&${query}`)).body.items;
const summaryOf = (rows: readonly TowerHealthEntry[]) =>
  rows.map(({ kind, name, health, reasons }) => [kind, name, health, reasons]);

/**
 * Creates a contract with one evaluation per day, in the order of `statuses`. The last one was `daysAgo` days ago. Days
 * are in UTC: just after midnight, the last evaluation is at the start of the day.
 */
async function addContract(name: string, statuses: readonly string[], daysAgo = 0): Promise<void> {
  const { rows } = await sql(
    `insert into svc.data_contracts (project_id, data_source_id, schema_name, table_name, name, is_enabled, warn_score,
       fail_score, alert_mode, alerts_on_warning, keeps_samples)
     values ($1, $2, 'public', 'orders', $3, true, 95, 80, 'EveryFailure', false, true) returning id`,
    [fixture.projectId, fixture.sourceId, name],
  );
  await sql(
    `insert into svc.contract_evaluations (contract_id, trigger, status, created_time, finished_at)
     select $1, 'Manual', e.status, t.at, case when e.status <> 'Queued' then t.at end
     from unnest($2::text[]) with ordinality e (status, at),
       lateral (select greatest(now() - interval '5 minutes', date_trunc('day', now(), 'UTC'))
         - make_interval(days => $3::int + cardinality($2::text[]) - e.at::int) as at) t`,
    [rows[0].id, statuses, daysAgo],
  );
}

beforeAll(async () => {
  fixture = await startRunFixture();
  // The job would end the waiting evaluation, which has no job.
  await sql(`delete from svc_jobs.schedule where key = 'maintenance:end-abandoned-evaluations'`);
  stranger = await fixture.person('stranger', 'Editor');
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  const good = Array.from({ length: 4 }, () => 'Passed');
  await addContract('passed', good);
  await addContract('mended', ['Failed', 'Passed', 'Passed', 'Passed', 'Passed']);
  await addContract('failed', [...good, 'Failed']);
  await addContract('failed long ago', ['Failed'], 40);
  await addContract('warned', [...good, 'Warned']);
  await addContract('unjudged', [...good, 'Error']);
  await addContract('never', []);
  await addContract('waits', [...good, 'Queued']);
  await sql(
    `update svc.contract_evaluations set created_time = now() - interval '2 days' where status = 'Queued'`,
  );
});
afterAll(() => fixture.close());

describe('data contracts in the control tower', () => {
  test('each contract has its health with the reasons', async () => {
    expect(summaryOf(await list(fixture.root))).toEqual([
      ['Contract', 'waits', 'Stalled', ['DueRunNotStarted']],
      ['Contract', 'failed', 'Critical', ['ContractFailed', 'ReducedSuccessRate']],
      ['Contract', 'failed long ago', 'Critical', ['ContractFailed', 'NoRuns']],
      ['Contract', 'mended', 'Warning', ['ReducedSuccessRate']],
      ['Contract', 'unjudged', 'Warning', ['ContractError']],
      ['Contract', 'warned', 'Warning', ['ContractWarned']],
      ['Contract', 'never', 'New', ['NoRuns']],
      ['Contract', 'passed', 'Healthy', []],
    ]);
    const [failed] = await list(fixture.root, 'search=FAILED&sort=name');
    expect(failed).toMatchObject({ judged: 5, good: 4, failed: 1, successRate: 0.8, openTaskId: null });
    expect(await list(fixture.root, 'search=unjudged')).toMatchObject([
      { judged: 4, failed: 0, successRate: 1 },
    ]);
  });

  test('contracts are filtered by kind and by data source, and are counted', async () => {
    const recipientIds = [await fixture.addRecipient()];
    const queryId = await fixture.addQuery('select 1 as one', { name: 'a query' });
    const { id } = await fixture.addSubscription({ queryId, recipientIds });
    expect(summaryOf(await list(fixture.root, 'kind=Subscription'))).toEqual([
      ['Subscription', 'a query', 'New', ['NoRuns']],
    ]);
    expect(await list(fixture.root, 'kind=Contract')).toHaveLength(8);
    expect(await list(fixture.root, `dataSourceId=${fixture.sourceId}`)).toHaveLength(9);
    expect(await list(fixture.root, `dataSourceId=${fixture.sourceId + 1}`)).toEqual([]);
    expect((await fixture.root.get(`${tower}/statistics`)).body).toMatchObject({
      total: 9,
      stalled: 1,
      critical: 2,
      warning: 3,
      new: 2,
      healthy: 1,
    });
    // A contract may have the id of a subscription: pages neither repeat nor omit either of them.
    const pages = await Promise.all(
      Array.from({ length: 9 }, (_, page) =>
        fixture.root.get(`${tower}/health?pageSize=1&page=${page}&sort=id`),
      ),
    );
    const seen = pages.flatMap(({ body }) => body.items).map(({ kind, id: one }) => `${kind} ${one}`);
    expect(new Set(seen).size).toBe(9);
    expect(seen).toContain(`Subscription ${id}`);
  });

  test('a user without access to the project sees no contract, and disabled and archived contracts are not listed', async () => {
    expect(await list(stranger)).toEqual([]);
    await sql(`update svc.data_contracts set is_enabled = false where name = 'failed'`);
    await sql(`update svc.data_contracts set archived_at = now() where name = 'warned'`);
    const names = (await list(fixture.root, 'kind=Contract')).map(({ name }) => name);
    expect(names).toHaveLength(6);
    expect(names).not.toContain('failed');
    expect(names).not.toContain('warned');
  });
});

describe('the detail of a data contract', () => {
  const idOf = async (name: string): Promise<number> =>
    (await sql('select id from svc.data_contracts where name = $1', [name])).rows[0].id;

  test('contains its days, its last evaluations and its runs', async () => {
    const id = await idOf('mended');
    await sql(
      `with made as (
         insert into svc.runs (contract_id, project_id, title, data_source_ids, origin, due_at, status, finished_at)
       values ($1, $2, 'mended', array[$3::int], 'Schedule', date_trunc('milliseconds', now()), 'Sent', now()),
         ((select id from svc.data_contracts where name = 'passed'), $2, 'passed', array[$3::int], 'Schedule',
           date_trunc('milliseconds', now()), 'Sent', now()) returning *)
       insert into svc.run_counts_open (day, contract_id, project_id, data_source_ids, status, is_anomaly, ended_at)
       select (due_at at time zone 'UTC')::date, contract_id, project_id, data_source_ids, status, false, finished_at from made`,
      [id, fixture.projectId, fixture.sourceId],
    );
    const { status, body } = await fixture.root.get(`${tower}/contracts/${id}/detail`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'Contract', id, health: 'Warning', judged: 5, failed: 1 });
    expect(body.days).toHaveLength(5);
    expect(body.days[0]).toMatchObject({ judged: 1, good: 0, failed: 1, successRate: 0 });
    expect(body.evaluations.map((one: { status: string }) => one.status)).toEqual([
      ...Array.from({ length: 4 }, () => 'Passed'),
      'Failed',
    ]);
    expect(body.runs).toMatchObject([{ contractId: id, status: 'Sent' }]);
    const short = await fixture.root.get(`${tower}/contracts/${id}/detail?timeRangeDays=1`);
    expect(short.body).toMatchObject({ judged: 1, failed: 0, days: [{ judged: 1 }] });
    const notifications = await fixture.root.get(`/svc/api/notifications?contractId=${id}&status=Sent`);
    expect(notifications.body).toMatchObject({ totalCount: 1, items: [{ contractId: id }] });
  });

  test('returns 404 to a user without access and for an unknown contract', async () => {
    const id = await idOf('passed');
    expect((await stranger.get(`${tower}/contracts/${id}/detail`)).status).toBe(404);
    expect((await fixture.root.get(`${tower}/contracts/999999/detail`)).status).toBe(404);
    expect((await fixture.root.get(`${tower}/contracts/x/detail`)).status).toBe(404);
  });
});
