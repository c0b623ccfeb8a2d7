import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

const ofBefore = `
  insert into svc.projects (name) values ('Shop');
  insert into svc.queries (project_id, name) select id, 'Late orders' from svc.projects;
  insert into svc.subscriptions (query_id, cron_expression) select id, '0 8 * * *' from svc.queries, generate_series(1, 2);
  insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, created_time, finished_at, status, data_source_ids)
    select s.id, s.query_id, q.project_id, 'Schedule', r.due_at, r.due_at, r.finished_at, r.status, r.sources
    from svc.queries q, lateral (values
      (1, timestamptz '2026-03-01 08:00Z', timestamptz '2026-03-01 08:01Z', 'Failed', '{1}'::int[]),
      (1, '2026-03-01 12:00Z', '2026-03-01 12:02Z', 'Timeout', '{1}'),
      (1, '2026-03-01 16:00Z', '2026-03-01 16:03Z', 'Sent', '{1}'),
      (1, '2026-03-01 18:00Z', '2026-03-01 18:04Z', 'Failed', '{1,2}'),
      (1, '2026-03-02 08:00Z', '2026-03-02 08:05Z', 'Sent', '{1}'),
      (2, '2026-03-02 09:00Z', null, 'Failed', null)) as r (at, due_at, finished_at, status, sources)
    join lateral (select *, row_number() over (order by id) as at from svc.subscriptions) s on s.at = r.at;
  insert into svc.run_days (day, subscription_id, query_id, project_id, data_source_ids, runs, judged, good, failed, anomalies)
    select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, data_source_ids, count(*), count(*),
      count(*) filter (where status = 'Sent'), count(*) filter (where status <> 'Sent'), 0
    from svc.runs group by 1, 2, 3, 4, 5`;

test('after an upgrade each day has the time of its last failed run, or none for a day without a failure', async () => {
  const migrations = readMigrations();
  const change = migrations.findIndex(({ name }) => name.startsWith('0028-'));
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, change));
    await client.query(ofBefore);
    await migrate(client, migrations);
    const { rows } = await client.query(
      `select to_char(day, 'DD') as day, data_source_ids as sources,
         to_char(last_failed_at at time zone 'UTC', 'DD HH24:MI') as "lastFailedAt"
       from svc.run_days order by day, subscription_id, data_source_ids`,
    );
    expect(rows).toEqual([
      { day: '01', sources: [1], lastFailedAt: '01 12:02' },
      { day: '01', sources: [1, 2], lastFailedAt: '01 18:04' },
      { day: '02', sources: [1], lastFailedAt: null },
      { day: '02', sources: null, lastFailedAt: '02 09:00' },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});
