import type { BenchDatabase } from '../run/database.ts';

/** Size of the history. */
export type Size = { readonly runs: number; readonly subscriptions: number; readonly months: number };

const tables = [
  'runs',
  'run_days',
  'run_totals',
  'deliveries',
  'run_messages',
  'run_attachments',
  'run_attachment_parts',
];

/**
 * Fills the history: runs of all subscriptions, spread evenly over months, in 100 projects and 50 data sources. Only
 * the oldest month has deliveries, files and notices, because the benchmark drops it.
 *
 * @returns the oldest month, as `2025-09`.
 */
export async function fillHistory(
  database: BenchDatabase,
  { runs, subscriptions, months }: Size,
): Promise<string> {
  const { sql } = database;
  await sql(`insert into svc.projects (name, access_mode)
    select 'Project ' || n, case when n % 3 = 0 then 'Open' else 'Restricted' end from generate_series(1, 100) n`);
  await sql(`insert into svc.data_sources (name, engine, connection_shown, connection_sealed)
    select 'Source ' || n, 'PostgreSQL', '{}', '' from generate_series(1, 50) n`);
  await sql(`insert into svc.project_data_sources (project_id, data_source_id)
    select n, 1 + n % 50 from generate_series(1, 100) n`);
  await sql(`insert into svc.project_members (project_id, user_id, role)
    select p.id, u.id, 'Editor' from svc.projects p, svc.users u where u.user_name = 'editor' and p.id % 2 = 0`);
  await sql(
    `insert into svc.recipients (name, notification_type, destination_sealed) values ('Hook', 'Webhook', '')`,
  );
  await sql(`insert into svc.queries (project_id, name)
    select 1 + n % 100, 'Orders that wait, part ' || n from generate_series(1, ${subscriptions}) n`);
  await sql(`insert into svc.subscriptions (query_id, cron_expression)
    select id, '0 0 1 1 *' from svc.queries order by id`);
  const [first] = await sql<{ month: string }>(
    `select to_char(date_trunc('month', now() at time zone 'UTC') - ${months - 1} * interval '1 month', 'YYYY-MM') as month`,
  );
  if (!first) throw new Error('The database told no month.');
  for (const table of tables)
    await sql(
      `select svc.add_month('${table}', (m)::date)
       from generate_series('${first.month}-01'::timestamp, now() at time zone 'UTC', interval '1 month') m`,
    );
  await fillRuns(database, { runs, subscriptions, months }, first.month);
  await fillOldest(database, first.month);
  await sql('analyze');
  return first.month;
}

/** Inserts the runs without indexes and recreates these afterwards: their updates would take most of the time. */
async function fillRuns({ sql }: BenchDatabase, { runs, subscriptions, months }: Size, first: string) {
  const indexes = await sql<{ name: string; text: string }>(
    `select i.relname as name, pg_get_indexdef(i.oid) as text from pg_index x
       join pg_class i on i.oid = x.indexrelid where x.indrelid = 'svc.runs'::regclass and not x.indisprimary`,
  );
  for (const { name } of indexes) await sql(`drop index svc."${name}"`);
  // Disables the checks of foreign keys, because this function creates all keys.
  await sql('alter table svc.runs disable trigger all').catch(() => undefined);
  const perMonth = Math.floor(runs / months);
  for (let month = 0; month < months; month += 1)
    await sql(
      `insert into svc.runs (due_at, subscription_id, query_id, project_id, origin, status, created_time, started_at,
         finished_at, execution_time_ms, result_count, data_source_ids)
       select due, s, s, 1 + s % 100, 'Schedule',
         (array['Sent', 'NoResults', 'Silenced', 'Sent', 'Failed'])[1 + n % 5], due, due, due, 12, n % 500,
         array[1 + (1 + s % 100) % 50]
       from generate_series(1, ${perMonth}) n,
         lateral (select 1 + n % ${subscriptions} as s, date_trunc('milliseconds',
           ('${first}-01'::timestamp + ${month} * interval '1 month') at time zone 'UTC'
           + (n::float8 / ${perMonth}) * interval '27 days') as due) t
       where due < now()`,
    );
  for (const { text } of indexes) await sql(text.replace(' ON ONLY ', ' ON '));
  await sql(`insert into svc.run_days (day, subscription_id, query_id, project_id, data_source_ids, runs, judged, good,
      failed, anomalies, last_good_at)
    select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, data_source_ids, count(*), count(*),
      count(*) filter (where status <> 'Failed'), count(*) filter (where status = 'Failed'), 0, max(finished_at)
    from svc.runs group by 1, 2, 3, 4, 5`);
  await sql(`insert into svc.run_totals (day, project_id, data_source_ids, status, runs)
    select (due_at at time zone 'UTC')::date, project_id, data_source_ids, status, count(*) from svc.runs group by 1, 2, 3, 4`);
}

async function fillOldest({ sql }: BenchDatabase, month: string): Promise<void> {
  const ofMonth = `from svc.runs where due_at < ('${month}-01'::timestamp + interval '1 month') at time zone 'UTC'`;
  await sql(`insert into svc.deliveries (run_id, run_due_at, recipient_id, state, message_id, started_at, finished_at)
    select id, due_at, 1, 'Sent', 'run-' || id, due_at, due_at ${ofMonth}`);
  await sql(`insert into svc.run_attachments (run_id, run_due_at, name, content_type, row_count, byte_count)
    select id, due_at, 'file', 'text/csv', 1, 1 ${ofMonth} and id % 100 = 0`);
  await sql(`insert into svc.run_attachment_parts (run_id, run_due_at, part, data_sealed)
    select id, due_at, 0, repeat('x', 4000) ${ofMonth} and id % 100 = 0`);
  await sql(`insert into svc.notices (user_id, kind, subject_kind, subject_id, subject_name, project_id, run_id, created_time)
    select 1, 'RunFailed', 'Subscription', subscription_id, 'name', project_id, id, due_at ${ofMonth} and id % 100 = 0`);
}
