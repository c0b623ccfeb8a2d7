import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { createKey } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let subscriptionId: number;
let queryId: number;
let people: Record<'viewer' | 'stranger' | 'noRole', HttpClient>;

const home = (client: HttpClient, path: string) => client.get(`/svc/api/home/${path}`);

/** Creates a past run that read the fixture's data source. */
async function addRun(
  hoursAgo: number,
  status: string,
  { origin = 'Schedule', tookMs = 100 }: { origin?: string; tookMs?: number } = {},
): Promise<void> {
  await fixture.svc.database.query(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, reason, result_count, created_time,
       finished_at, execution_time_ms, data_source_ids)
     select $1, q.id, q.project_id, $3, date_trunc('milliseconds', at + random() * interval '1 minute'), $4, case $4 when 'Failed' then 'QueryGone' end, 3, at, at, $5, array[$6::int]
     from svc.queries q, (select date_trunc('hour', now()) - $7 * interval '1 hour' as at) time where q.id = $2`,
    [subscriptionId, queryId, origin, status, tookMs, fixture.sourceId, hoursAgo],
  );
}

beforeAll(async () => {
  fixture = await startRunFixture();
  queryId = await fixture.addQuery('select 1 as one');
  const recipientIds = [await fixture.addRecipient()];
  subscriptionId = (await fixture.addSubscription({ queryId, recipientIds })).id;
  people = {
    viewer: await fixture.person('viewer', 'Viewer'),
    stranger: await fixture.person('stranger', 'Editor'),
    noRole: await fixture.person('nobody', []),
  };
  await fixture.svc.database.query(
    `insert into svc.project_members (project_id, user_id, role) select $1, id, 'Viewer' from svc.users where user_name = 'viewer'`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  await addRun(1, 'Sent');
  await addRun(1, 'NoResults', { tookMs: 300 });
  await addRun(2, 'Failed');
  await addRun(2, 'Timeout', { origin: 'Test' });
  await addRun(3, 'Timeout', { origin: 'Test' });
  await addRun(3, 'Skipped');
  await addRun(30 * 24, 'Sent');
  // Every six hours, from 20 to 8 hours ago: three runs.
  await fixture.svc.database.query(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count)
     select $1, hour - interval '20 hours', hour - interval '8 hours', 3 from (select date_trunc('hour', now()) as hour) t`,
    [subscriptionId],
  );
});
afterAll(() => fixture.close());

describe('200', () => {
  test('trends count the runs of each day in UTC, and compare them with the days before', async () => {
    const { status, body } = await home(people.viewer, 'trends');
    expect(status).toBe(200);
    expect(body.days).toHaveLength(30);
    expect(body.days.at(-1).date).toBe(new Date(body.to).toISOString().slice(0, 10));
    expect(body.total).toEqual({
      runs: 6,
      sent: 1,
      failed: 3,
      averageMs: expect.any(Number),
      p95Ms: expect.any(Number),
    });
    // Five runs of 100 ms and one of 300 ms.
    expect(body.total.averageMs).toBeCloseTo(800 / 6);
    expect(body.total.p95Ms).toBeCloseTo(250);
    expect(body.before).toMatchObject({ runs: 1, sent: 1, failed: 0 });
    const sum = (name: string) =>
      body.days.reduce((total: number, day: Record<string, number>) => total + (day[name] ?? 0), 0);
    expect([sum('runs'), sum('sent'), sum('failed')]).toEqual([6, 1, 3]);
    const empty = body.days[0];
    expect(empty).toMatchObject({ runs: 0, averageMs: null, p95Ms: null });
    expect((await home(people.viewer, 'trends?days=7')).body.days).toHaveLength(7);
  });

  test('first steps count only records that the caller can read, and ignore demo records', async () => {
    const steps = async (client: HttpClient) => (await home(client, 'first-steps')).body;
    const done = { hasDataSource: true, hasProject: true, hasQuery: true, subscriptionId, hasSent: false };
    const none = {
      hasDataSource: false,
      hasProject: false,
      hasQuery: false,
      subscriptionId: null,
      hasSent: false,
    };
    const { database } = fixture.svc;
    const latest = `svc.runs where id = (
      select id from svc.runs where subscription_id = ${subscriptionId} order by due_at desc, id desc limit 1)`;
    const before = (await database.query(`select status from ${latest}`)).rows[0]?.status;
    const end = (status: string) =>
      database.query(`update ${latest.replace(' where', ' set status = $1 where')}`, [status]);
    await end('NoResults');
    expect(await steps(people.viewer)).toEqual(done);
    expect(await steps(people.stranger)).toEqual(none);
    await end('Sent');
    expect(await steps(people.viewer)).toEqual({ ...done, hasSent: true });
    await end(before);
    const demo = (isDemo: boolean) =>
      Promise.all(
        ['projects', 'data_sources', 'queries', 'subscriptions'].map((table) =>
          database.query(`update svc.${table} set is_demo = ${isDemo}`),
        ),
      );
    await demo(true);
    expect(await steps(fixture.root)).toEqual(none);
    await demo(false);
  });

  test('activity lists sent, failed and missed runs and new subscriptions, newest first and page by page', async () => {
    const { items, totalCount } = (await home(people.viewer, 'activity?pageSize=50')).body;
    expect(items).toHaveLength(totalCount);
    const kinds = items.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['RunSent', 'RunFailed', 'RunMissed', 'SubscriptionCreated']));
    expect(kinds.filter((kind: string) => kind === 'RunFailed')).toHaveLength(3);
    const times = items.map(({ time }: { time: string }) => time);
    expect(times).toEqual([...times].sort().reverse());
    const failed = items.find(({ comment }: { comment: string | null }) => comment !== null);
    expect(failed).toMatchObject({ kind: 'RunFailed', subscriptionId, projectId: fixture.projectId });
    expect(items.find(({ kind }: { kind: string }) => kind === 'RunMissed')).toMatchObject({
      notificationId: null,
      count: 3,
    });
    const second = (await home(people.viewer, 'activity?pageSize=2&page=1')).body;
    expect(second).toEqual({
      items: items.slice(2, 4),
      totalCount,
      pageCount: Math.ceil(totalCount / 2),
    });
    expect((await home(people.viewer, 'activity?page=99')).body).toMatchObject({ items: [], totalCount });
    const oldestFirst = (await home(people.viewer, 'activity?pageSize=50&sort=time')).body.items;
    expect(oldestFirst.map(({ time }: { time: string }) => time)).toEqual(times.toReversed());
  });

  test('the task summary counts the open tasks by state, in the projects that the caller can read', async () => {
    const none = { open: 0, mine: 0, overdue: 0, snoozed: 0 };
    expect((await home(people.viewer, 'task-summary')).body).toEqual(none);
    const { userId } = (await people.viewer.get('/svc/api/auth/me')).body;
    const addTask = (columns: string, values: string) =>
      fixture.svc.database.query(
        `with another as (
           insert into svc.subscriptions (query_id, cron_expression, create_tasks)
           select query_id, cron_expression, true from svc.subscriptions where id = $1 returning id),
         task as (
           insert into svc.tasks (subscription_id, project_id, latest_count ${columns})
           select a.id, $2, 3 ${values} from another a where $3 > 0 returning id)
         insert into svc.task_events (task_id, kind, detail)
         select id, kind, case kind when 'Opened' then '{"count":3}'::jsonb else '{}' end
         from task, unnest(array['Opened', 'Commented']) kind`,
        [subscriptionId, fixture.projectId, userId],
      );
    const ms = `date_trunc('milliseconds', now())`;
    await addTask('', '');
    await addTask(', assignee_user_id', ', $3');
    await addTask(', assignee_user_id, due_at', `, $3, ${ms} - interval '1 hour'`);
    await addTask(', assignee_user_id, snoozed_until, snoozed_count', `, $3, ${ms} + interval '1 hour', 3`);
    await addTask(
      ', due_at, snoozed_until, snoozed_count',
      `, ${ms} - interval '1 hour', ${ms} + interval '1 hour', 3`,
    );
    await addTask(', state, resolved_at, resolution', `, 'Resolved', now(), 'Automatic'`);
    expect((await home(people.viewer, 'task-summary')).body).toEqual({
      open: 3,
      mine: 2,
      overdue: 1,
      snoozed: 2,
    });
    expect((await home(people.stranger, 'task-summary')).body).toEqual(none);
    const { items } = (await home(people.viewer, 'activity?pageSize=50')).body;
    const opened = items.filter(({ kind }: { kind: string }) => kind === 'TaskOpened');
    expect(opened).toHaveLength(6);
    expect(opened[0]).toMatchObject({ taskId: expect.any(Number), notificationId: null, count: 3 });
    await fixture.svc.database.query('delete from svc.task_events');
    await fixture.svc.database.query('delete from svc.tasks');
    await fixture.svc.database.query('delete from svc.subscriptions where create_tasks');
  });

  test('the key figures equal the counts of the corresponding lists, for each reader', async () => {
    const { id: other } = await fixture.make('/svc/api/projects', { name: 'Elsewhere' });
    const { rows } = await fixture.svc.database.query(
      `select id from svc.users where user_name = 'stranger'`,
    );
    const { authorization } = await createKey(fixture.svc.database, rows[0].id, { projectIds: [other] });
    const total = async (client: HttpClient, path: string) =>
      (await client.get(`/svc/api/${path}`)).body.totalCount;
    await fixture.svc.database.query(
      `insert into svc.run_counts_open (day, subscription_id, query_id, project_id, data_source_ids, status, ended_at)
       select current_date, $1, $2, $3, array[$4::int], status, now() from unnest(array['Sent', 'Failed', 'Timeout']) status`,
      [subscriptionId, queryId, fixture.projectId, fixture.sourceId],
    );
    const readers = [
      fixture.root,
      people.viewer,
      people.stranger,
      fixture.svc.client(authorization),
      await fixture.person('source-admin', ['Viewer', 'DataSourceAdmin']),
    ];
    for (const client of readers)
      expect((await home(client, 'kpis')).body).toEqual({
        dataSources: await total(client, 'data-sources'),
        dataSourcesWithWarnings: await total(client, 'data-sources?hasWarnings=true'),
        projects: await total(client, 'projects'),
        queries: await total(client, 'queries'),
        activeSubscriptions: await total(client, 'subscriptions?state=Active'),
        openTasks: await total(client, 'tasks?state=Open'),
        runs: await total(client, 'notifications'),
        failedRuns: await total(client, 'notifications?status=Failed'),
        hasLiveWorker: true,
        hasLiveScheduler: true,
        unservedQueues: [],
        pausedQueues: [],
        lastHeartbeatAt: expect.any(String),
      });
    expect((await home(people.viewer, 'kpis')).body).toMatchObject({
      dataSources: 1,
      queries: 1,
      runs: 3,
      failedRuns: 1,
    });
    expect((await home(people.stranger, 'kpis')).body).toMatchObject({ dataSources: 0, queries: 0, runs: 0 });
  });

  test('uptime is the share of successful due runs: failed and missed runs count, tests and skipped runs do not', async () => {
    const { hours, uptime } = (await home(people.viewer, 'uptime')).body;
    expect(hours).toHaveLength(24);
    const at = (hoursAgo: number) => hours.at(-1 - hoursAgo);
    expect(at(0)).toMatchObject({ runs: 0, failed: 0, isMissed: false });
    expect(at(1)).toMatchObject({ runs: 2, failed: 0, missed: 0, isMissed: false });
    expect(at(2)).toMatchObject({ runs: 1, failed: 1, isMissed: false });
    expect(at(3)).toMatchObject({ runs: 0, failed: 0 });
    const missed = Array.from({ length: 24 }, (_, hoursAgo) => hoursAgo).filter((ago) => at(ago).isMissed);
    expect(missed).toEqual([8, 14, 20]);
    expect(missed.map((ago) => at(ago).missed)).toEqual([1, 1, 1]);
    // Two of three finished runs, plus three missed runs.
    expect(uptime).toBe(2 / 6);
    expect((await home(people.viewer, 'uptime?hours=168')).body.hours).toHaveLength(168);
  });

  test('hidden runs and events of a project that the caller cannot read are omitted', async () => {
    const { rows } = await fixture.svc.database.query(
      `select id from svc.users where user_name = 'stranger'`,
    );
    const { id: other } = await fixture.make('/svc/api/projects', { name: 'Another' });
    const { authorization } = await createKey(fixture.svc.database, rows[0].id, { projectIds: [other] });
    for (const client of [people.stranger, fixture.svc.client(authorization)]) {
      expect((await home(client, 'trends')).body.total).toMatchObject({ runs: 0, averageMs: null });
      expect((await home(client, 'activity')).body).toEqual({ items: [], totalCount: 0, pageCount: 0 });
      const { hours, uptime } = (await home(client, 'uptime')).body;
      expect(uptime).toBeNull();
      expect(hours.some(({ isMissed }: { isMissed: boolean }) => isMissed)).toBe(false);
    }
  });
});

const paths = ['kpis', 'trends', 'activity', 'uptime', 'migration-summary', 'task-summary'];

describe('the migration summary', () => {
  test('is all zeros while data migration is off, and counts the runs of the last day while it is on', async () => {
    const { database } = fixture.svc;
    await database.query(`with job as (
        insert into svc.migration_jobs (name, data_source_id, source, destination_data_source_id, destination_schema,
          destination_table, creates_table, mode, key_columns, personal_data, on_rejected_row, rejected_rows_max,
          minimum_source_rows, deleted_share_max, retries_max, timeout_minutes)
        select 'Copy', d.id, '{}', d.id, 's', 't', false, 'Insert', '{}', 'Refuse', 'Fail', 0, 0, 0, 0, 1
        from svc.data_sources d limit 1 returning id, data_source_id)
      insert into svc.migration_executions (migration_job_id, status, trigger, definition, destination_data_source_id,
          finished_at, is_trial)
        select job.id, e.status, 'Manual', '{}', job.data_source_id, now() - e.ago * interval '1 hour', e.is_trial
        from job, (values ('Completed', 1, false), ('PartialSuccess', 2, false), ('Failed', 3, false),
          ('Failed', 25, false), ('Failed', 1, true), ('Queued', null, false)) as e (status, ago, is_trial)`);
    const zeros = { jobs: 0, running: 0, completed24h: 0, failed24h: 0 };
    expect((await home(people.viewer, 'migration-summary')).body).toEqual(zeros);
    const on = await fixture.svc.replica({ 'Svc:Migrations:Enabled': true });
    const viewer = on.client();
    for (const [name, value] of people.viewer.cookies) viewer.cookies.set(name, value);
    const figures = { jobs: 1, running: 1, completed24h: 2, failed24h: 1 };
    expect((await home(viewer, 'migration-summary')).body).toEqual(figures);
  });
});

describe('400', () => {
  test.each(['trends?days=0', 'trends?days=91', 'trends?days=x', 'uptime?hours=169', 'uptime?hours=-1'])(
    'refuses %s',
    async (path) => {
      expect((await home(people.viewer, path)).status).toBe(400);
    },
  );
});

describe('401 and 403', () => {
  test.each(paths)(
    '%s refuses a user without a role with 403 and an anonymous caller with 401',
    async (path) => {
      expect((await home(people.noRole, path)).status).toBe(403);
      expect((await fetch(`${fixture.svc.origin}/svc/api/home/${path}`)).status).toBe(401);
    },
  );
});
