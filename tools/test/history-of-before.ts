import type pg from 'pg';

/**
 * Fills the tables of runs in the schema before partitioning. Ended runs of 200 subscriptions are spread over months,
 * each with a delivery. Every hundredth run has a file and a notice, every second one an audit event.
 */
export async function fillHistoryOfBefore(
  client: pg.ClientBase,
  { runs, months }: { readonly runs: number; readonly months: number },
): Promise<void> {
  await client.query(`
    insert into svc.users (user_name, kind) values ('before', 'Internal');
    insert into svc.projects (name) select 'Project ' || n from generate_series(1, 20) n;
    insert into svc.data_sources (name, engine, connection_shown, connection_sealed)
      select 'Source ' || n, 'PostgreSQL', '{}', '' from generate_series(1, 10) n;
    insert into svc.queries (project_id, name) select 1 + n % 20, 'Query ' || n from generate_series(1, 200) n;
    insert into svc.subscriptions (query_id, cron_expression) select n, '0 0 1 1 *' from generate_series(1, 200) n;
    insert into svc.recipients (name, notification_type, destination_sealed) values ('Hook', 'Webhook', '')`);
  await client.query(
    `insert into svc.runs (subscription_id, query_id, origin, due_at, status, reason, created_time, started_at, finished_at,
       execution_time_ms, result_count, data_source_ids, message_sealed)
     select s, s, case when n % 50 = 0 then 'Test' else 'Schedule' end, due + n * interval '1 microsecond' * (n % 50 = 0)::int,
       (array['Sent', 'NoResults', 'Failed', 'Skipped', 'Silenced'])[1 + n % 5], null, due, due, due, 12, n % 1000,
       case when n % 7 = 0 then null else array[1 + n % 10] end, case when n % 5 = 0 then 'v1.k.sealed' end
     from generate_series(1, $1::int) n,
       lateral (select 1 + n % 200 as s,
         date_trunc('second', now()) - (n::float8 / $1) * $2 * interval '1 month' as due) t`,
    [runs, months],
  );
  await client.query(`
    insert into svc.deliveries (run_id, recipient_id, state, message_id, started_at, finished_at)
      select id, 1, case when id % 9 = 0 then 'Failed' else 'Sent' end, 'run-' || id, due_at, due_at from svc.runs;
    insert into svc.run_attachments (run_id, name, content_type, row_count, byte_count)
      select id, 'file', 'text/csv', 1, 1 from svc.runs where id % 100 = 0;
    insert into svc.run_attachment_parts (run_id, part, data_sealed)
      select id, p, 'v1.k.' || id from svc.runs, generate_series(0, 1) p where id % 100 = 0;
    insert into svc.notices (user_id, kind, subscription_id, run_id)
      select 1, 'RunFailed', subscription_id, id from svc.runs where id % 100 = 0;
    insert into svc.audit_events (event, occurred_at, actor_kind)
      select 'runs.seen', due_at, 'system' from svc.runs where id % 2 = 0;
    analyze svc.runs`);
}

type Summary = Readonly<Record<string, unknown>>;

const one = async (client: pg.ClientBase, text: string): Promise<Summary> =>
  (await client.query<Summary>(text)).rows[0] ?? {};

/** Returns values that the migration must not change: counts, sums of ids, and a hash of every row. */
export const summaryOfBefore = (client: pg.ClientBase): Promise<Summary> =>
  one(
    client,
    `select (select count(*)::int from svc.runs) as runs,
       (select sum(hashtextextended(concat_ws('|', id, subscription_id, query_id, origin,
          extract(epoch from date_trunc('milliseconds', due_at)), status, result_count, data_source_ids, message_sealed), 0))
        from svc.runs) as "runsHash",
       (select sum(hashtextextended(concat_ws('|', id, run_id, recipient_id, state, message_id,
          extract(epoch from finished_at)), 0)) from svc.deliveries) as deliveries,
       (select count(*)::int from svc.run_attachments) as files,
       (select sum(hashtextextended(id || data_sealed, 0)) from svc.run_attachment_parts) as parts,
       (select sum(hashtextextended(concat_ws('|', id, event, extract(epoch from occurred_at)), 0)) from svc.audit_events) as audit,
       (select sum(hashtextextended(concat_ws('|', id, subscription_id, run_id), 0)) from svc.notices) as notices,
       (select json_object_agg(status, runs) from (
          select status, count(*)::int as runs from svc.runs group by status order by status) t) as totals,
       (select count(*)::int from svc.runs where subscription_id = 7) as "ofOne"`,
  );

/** Returns the same values from the partitioned tables. Totals come from the stored counts. */
export const summaryOfNow = (client: pg.ClientBase): Promise<Summary> =>
  one(
    client,
    `select (select count(*)::int from svc.runs) as runs,
       (select sum(hashtextextended(concat_ws('|', id, subscription_id, query_id, origin,
          extract(epoch from due_at), status, result_count, data_source_ids, message_sealed), 0))
        from svc.runs) as "runsHash",
       (select sum(hashtextextended(concat_ws('|', id, run_id, recipient_id, state, message_id,
          extract(epoch from finished_at)), 0)) from svc.deliveries) as deliveries,
       (select count(*)::int from svc.run_attachments) as files,
       (select sum(hashtextextended(id || data_sealed, 0)) from svc.run_attachment_parts) as parts,
       (select sum(hashtextextended(concat_ws('|', id, event, extract(epoch from occurred_at)), 0)) from svc.audit_events) as audit,
       (select sum(hashtextextended(concat_ws('|', id, subject_id, run_id), 0)) from svc.notices) as notices,
       (select json_object_agg(status, runs) from (
          select status, sum(runs)::int as runs from svc.run_totals group by status order by status) t) as totals,
       (select sum(runs)::int from svc.run_days where subscription_id = 7) as "ofOne"`,
  );
