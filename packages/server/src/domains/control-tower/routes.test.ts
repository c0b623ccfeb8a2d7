import type { ScheduleLoad, TowerDetail, TowerHealthEntry, TowerStatistics } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { foldRunCounts } from '../run-history/index.ts';

const tower = '/svc/api/control-tower';
let fixture: RunFixture;
let people: Record<'viewer' | 'stranger' | 'noRole', HttpClient>;
/** Ids of subscriptions, by the name of their query. */
const ids: Record<string, number> = {};

const sql = (statement: string, values: unknown[] = []) => fixture.svc.database.query(statement, values);
const list = async (client: HttpClient, query = ''): Promise<TowerHealthEntry[]> =>
  (await client.get(`${tower}/health?pageSize=200&${query}`)).body.items;
const entry = async (name: string, query = ''): Promise<TowerHealthEntry | undefined> =>
  (await list(people.viewer, query)).find(({ id }) => id === ids[name]);
const statistics = async (client: HttpClient, query = ''): Promise<TowerStatistics> =>
  (await client.get(`${tower}/statistics?${query}`)).body;

/** Inserts ended runs of the fixture's source, in order. Some are already folded into days. */
async function ended(name: string, statuses: readonly string[], daysAgo = 0): Promise<void> {
  for (const [index, status] of statuses.entries()) {
    await sql(
      `insert into svc.run_counts_open (day, subscription_id, query_id, project_id, data_source_ids, status, ended_at)
       select (at at time zone 'UTC')::date, s.id, s.query_id, $2, array[$3::int], $4, at
       from svc.subscriptions s, (select now() - $5 * interval '1 day' - $6 * interval '1 millisecond' as at) t where s.id = $1`,
      [ids[name], fixture.projectId, fixture.sourceId, status, daysAgo, statuses.length - index],
    );
    if (index === 0) await foldRunCounts(createDatabase(fixture.svc.database));
  }
}

beforeAll(async () => {
  fixture = await startRunFixture();
  const recipientIds = [await fixture.addRecipient()];
  for (const name of ['calm', 'failing', 'shaky', 'bad', 'fresh', 'stuck', 'missed', 'late']) {
    const queryId = await fixture.addQuery('select 1 as one', { name });
    ids[name] = (await fixture.addSubscription({ queryId, recipientIds })).id;
  }
  people = {
    viewer: await fixture.person('viewer', 'Viewer'),
    stranger: await fixture.person('stranger', 'Editor'),
    noRole: await fixture.person('nobody', []),
  };
  await sql(
    `insert into svc.project_members (project_id, user_id, role) select $1, id, 'Viewer' from svc.users where user_name = 'viewer'`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  const good = (count: number) => Array.from({ length: count }, () => 'Sent');
  await ended('calm', ['NoResults', 'Silenced', 'BelowThreshold', 'Sent', 'Skipped']);
  await ended('calm', ['Failed', 'Failed', 'Failed'], 20);
  await ended('failing', [...good(9), 'Failed']);
  await ended('shaky', ['Timeout', ...good(4)]);
  await ended('bad', ['Failed', 'Failed', 'Sent']);
  for (const name of ['stuck', 'missed', 'late']) await ended(name, good(2));
  // Its schedule fires once a year, on 1 January.
  await sql(`update svc.subscriptions set created_time = now() - interval '2 years' where id = $1`, [
    ids.stuck,
  ]);
  await sql(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count) values ($1, now(), now(), 1)`,
    [ids.missed],
  );
  await sql(
    `insert into svc.tasks (subscription_id, project_id, latest_count, due_at)
     values ($1, $2, 3, date_trunc('milliseconds', now() - interval '1 hour'))`,
    [ids.late, fixture.projectId],
  );
});
afterAll(() => fixture.close());

describe('status 200', () => {
  test('the list contains the health of each subscription and the reasons, worst first', async () => {
    const rows = await list(people.viewer);
    expect(rows.map(({ name, health, reasons }) => [name, health, reasons])).toEqual([
      ['stuck', 'Stalled', ['DueRunNotStarted']],
      ['bad', 'Critical', ['LowSuccessRate']],
      ['failing', 'Critical', ['LastRunFailed']],
      ['late', 'Warning', ['TaskOverdue']],
      ['missed', 'Warning', ['RunsMissed']],
      ['shaky', 'Warning', ['ReducedSuccessRate']],
      ['fresh', 'New', ['NoRuns']],
      ['calm', 'Healthy', []],
    ]);
    expect(await entry('calm')).toMatchObject({ judged: 4, good: 4, failed: 0, successRate: 1 });
    expect(await entry('fresh')).toMatchObject({ judged: 0, successRate: null, lastGoodAt: null });
  });

  test('a longer time range includes older runs', async () => {
    expect(await entry('calm', 'timeRangeDays=30')).toMatchObject({
      judged: 7,
      failed: 3,
      health: 'Critical',
    });
  });

  test('the list is filtered, paged and sorted', async () => {
    const names = async (query: string) => (await list(people.viewer, query)).map(({ name }) => name);
    expect(await names('health=Critical&sort=-name')).toEqual(['failing', 'bad']);
    expect(await names('hasOpenTasks=true')).toEqual(['late']);
    expect(await names('search=SHA')).toEqual(['shaky']);
    expect(await names(`dataSourceId=${fixture.sourceId}&sort=health`)).toHaveLength(8);
    expect(await names(`dataSourceId=${fixture.sourceId + 1}`)).toEqual([]);
    expect(await names(`projectId=${fixture.projectId + 1}`)).toEqual([]);
    const page = (await people.viewer.get(`${tower}/health?pageSize=3&page=2`)).body;
    expect(page).toMatchObject({ totalCount: 8, pageCount: 3, items: [{ name: 'fresh' }, { name: 'calm' }] });
    const beyond = (await people.viewer.get(`${tower}/health?pageSize=3&page=9`)).body;
    expect(beyond).toEqual({ totalCount: 8, pageCount: 3, items: [] });
  });

  test('only a start at or after the due slot ends the state Stalled', async () => {
    const insertRun = (dueAt: string, startedAt: string) =>
      sql(
        `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, started_at, finished_at, data_source_ids)
         select id, query_id, $2, 'Schedule', ${dueAt}, 'Sent', ${startedAt}, ${startedAt}, array[$3::int]
         from svc.subscriptions where id = $1`,
        [ids.stuck, fixture.projectId, fixture.sourceId],
      );
    const newYear = `date_trunc('year', now(), 'UTC')`;
    for (const [dueAt, startedAt, isStalled] of [
      [`${newYear} - interval '1 year'`, `${newYear} - interval '1 year'`, true],
      [newYear, 'null', true],
      [newYear, `${newYear} + interval '1 day'`, false],
      [`${newYear} - interval '1 hour'`, newYear, false],
    ] as const) {
      await insertRun(dueAt, startedAt);
      const { health, watchDueAt } = (await entry('stuck')) ?? {};
      expect([dueAt, startedAt, health]).toEqual([dueAt, startedAt, isStalled ? 'Stalled' : 'Healthy']);
      expect(Date.parse(watchDueAt ?? '') < Date.now()).toBe(isStalled);
      await sql('delete from svc.runs where subscription_id = $1', [ids.stuck]);
    }
    expect(await entry('stuck')).toMatchObject({ health: 'Stalled' });
  });

  test('statistics count the entries of the list and state whether a worker is alive', async () => {
    expect(await statistics(people.viewer)).toMatchObject({
      total: 8,
      stalled: 1,
      critical: 2,
      warning: 3,
      new: 1,
      healthy: 1,
      openTasks: 1,
      overdueTasks: 1,
      judged: 28,
      good: 24,
      failed: 4,
      successRate: 24 / 28,
      hasLiveWorker: true,
      lastHeartbeatAt: expect.any(String),
    });
    expect(await statistics(people.viewer, 'search=calm')).toMatchObject({ total: 1, healthy: 1, failed: 0 });
  });

  test('statistics count the open tasks of the task list, also of an archived subscription', async () => {
    const counted = async (query: string) => {
      const { openTasks, overdueTasks } = await statistics(people.viewer, query);
      return [openTasks, overdueTasks];
    };
    const { projectId, sourceId } = fixture;
    await sql('update svc.subscriptions set archived_at = now() where id = $1', [ids.late]);
    const { totalCount } = (await people.viewer.get('/svc/api/tasks?state=Open')).body;
    expect(await counted('')).toEqual([totalCount, totalCount]);
    for (const query of [
      'kind=Subscription',
      `projectId=${projectId}`,
      `dataSourceId=${sourceId}`,
      'search=LAT',
    ])
      expect([query, await counted(query)]).toEqual([query, [1, 1]]);
    for (const query of [
      'kind=Contract',
      `projectId=${projectId + 1}`,
      `dataSourceId=${sourceId + 1}`,
      'search=calm',
    ])
      expect([query, await counted(query)]).toEqual([query, [0, 0]]);
    await sql('update svc.subscriptions set archived_at = null where id = $1', [ids.late]);
  });

  test('the schedule load counts active schedules that the caller may read, and names the clashes at a data source', async () => {
    const load = async (client: HttpClient, query = ''): Promise<ScheduleLoad> =>
      (await client.get(`${tower}/schedule-load?${query}`)).body;
    const { rows } = await sql('select id, cron_expression as cron from svc.subscriptions');
    await sql(`update svc.subscriptions set cron_expression = '17 * * * *' where id = any($1)`, [
      [ids.calm, ids.fresh, ids.bad],
    ]);
    await sql('update svc.subscriptions set archived_at = now() where id = $1', [ids.bad]);
    const seen = await load(people.viewer);
    const total = seen.hours.reduce((sum, { runs }) => sum + runs, 0);
    expect([46, 48]).toContain(total);
    expect(seen.clashes).toHaveLength(20);
    expect(seen.clashes[0]).toMatchObject({
      dataSourceId: fixture.sourceId,
      dataSourceName: 'The watched source',
      runs: 2,
      subjects: [{ kind: 'Subscription', id: ids.calm, name: 'calm' }, { name: 'fresh' }],
    });
    expect(seen.hours.reduce((sum, { clashes }) => sum + clashes, 0)).toBe(total / 2);
    for (const empty of [
      await load(people.stranger),
      await load(people.viewer, `projectId=${fixture.projectId + 1}`),
      await load(people.viewer, `dataSourceId=${fixture.sourceId + 1}`),
    ])
      expect(empty).toMatchObject({ clashes: [], isCut: false });
    await sql('update svc.subscriptions set archived_at = null where id = $1', [ids.bad]);
    for (const { id, cron } of rows)
      await sql('update svc.subscriptions set cron_expression = $2 where id = $1', [id, cron]);
  });

  test('a user without access to the project sees none of its data', async () => {
    expect(await list(people.stranger)).toEqual([]);
    expect(await statistics(people.stranger)).toMatchObject({
      total: 0,
      judged: 0,
      successRate: null,
      openTasks: 0,
    });
  });

  test('the detail contains the days and the runs that the caller may see', async () => {
    const id = ids.calm ?? 0;
    const run = await fixture.runNow(id);
    const detail = async (): Promise<TowerDetail> =>
      (await people.viewer.get(`${tower}/subscriptions/${id}/detail?timeRangeDays=30`)).body;
    expect(await detail()).toMatchObject({
      kind: 'Subscription',
      id,
      name: 'calm',
      judged: 8,
      good: 5,
      failed: 3,
      days: [
        { judged: 3, good: 0, failed: 3, successRate: 0 },
        { judged: 5, good: 5, failed: 0, successRate: 1 },
      ],
      runs: [{ id: run.id }],
    });
    await sql('delete from svc.project_data_sources where project_id = $1', [fixture.projectId]);
    expect(await detail()).toMatchObject({ health: 'New', judged: 0, days: [], runs: [] });
    await sql('insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)', [
      fixture.projectId,
      fixture.sourceId,
    ]);
  });
});

describe('status 400', () => {
  test.each(['timeRangeDays=2', 'health=Fine', 'kind=Query', 'projectId=x'])(
    'refuses the parameter %s with 400',
    async (query) => {
      expect((await people.viewer.get(`${tower}/health?${query}`)).status).toBe(400);
    },
  );
});

describe('status 401 and 403', () => {
  test.each(['statistics', 'health', 'schedule-load', 'subscriptions/1/detail'])(
    'refuses %s with 401 without a sign-in and with 403 without a role',
    async (path) => {
      expect((await fixture.svc.client().get(`${tower}/${path}`)).status).toBe(401);
      expect((await people.noRole.get(`${tower}/${path}`)).status).toBe(403);
    },
  );
});

describe('status 404', () => {
  test('returns 404 for a detail that the caller cannot read, and for an unknown or invalid id', async () => {
    expect((await people.stranger.get(`${tower}/subscriptions/${ids.calm}/detail`)).status).toBe(404);
    for (const id of ['999999', 'x', '0'])
      expect((await people.viewer.get(`${tower}/subscriptions/${id}/detail`)).status).toBe(404);
  });
});
