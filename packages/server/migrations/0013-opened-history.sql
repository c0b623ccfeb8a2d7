-- svc: no-transaction
-- Runs, deliveries, messages, files and audit events by month, so that a month goes as a whole; runs of subscriptions
-- and of contracts; several messages a run; notices about any subject; counts of runs that are kept. What stands in the
-- tables of before is carried over batch by batch: a start that is killed meanwhile goes on where it stood.

set lock_timeout = '120s';

-- Adds the month's partition to a table of this schema that is partitioned by time, and moves what stands in the rest
-- into it. False when it is there.
create or replace function svc.add_month(parent text, month date) returns boolean language plpgsql as $$
declare
  part text := parent || to_char(month, '"_"YYYY"_"MM');
  starts text := month::text;
  ends text := (month + interval '1 month')::date::text;
  key text;
  is_day boolean;
  columns text;
begin
  -- One after the other: every process of the service looks after the months.
  perform pg_advisory_xact_lock(hashtext('svc.add_month'));
  if to_regclass(format('svc.%I', part)) is not null then
    return false;
  end if;
  select a.attname, a.atttypid = 'date'::regtype into strict key, is_day from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = format('svc.%I', parent)::regclass;
  -- Months are those of UTC.
  if not is_day then
    starts := starts || ' 00:00:00+00';
    ends := ends || ' 00:00:00+00';
  end if;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns from pg_attribute a
    where a.attrelid = format('svc.%I', parent)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  -- Attached instead of created as a partition: that would wait for every statement on the table.
  execute format(
    'create table svc.%I (like svc.%I including defaults including constraints including generated including storage)',
    part, parent);
  execute format(
    'with moved as (delete from svc.%1$I where %2$I >= %3$L and %2$I < %4$L returning %5$s)
     insert into svc.%6$I (%5$s) select %5$s from moved', parent || '_rest', key, starts, ends, columns, part);
  execute format('alter table svc.%I attach partition svc.%I for values from (%L) to (%L)', parent, part, starts, ends);
  return true;
end
$$;

-- The tables of before step aside, and the new ones stand empty, at once.
do $$
declare
  old record;
  first_month date;
begin
  if to_regclass('svc.runs_before') is not null or to_regclass('svc.run_days') is not null then
    return;
  end if;
  alter table svc.notices drop constraint notices_run_id_fkey;
  for old in select c.oid::regclass as name, c.relname, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'svc' and c.relname in ('runs', 'deliveries', 'run_attachments', 'run_attachment_parts', 'audit_events')
  loop
    execute format('alter table %s rename to %I', old.name, old.relname || '_before');
  end loop;
  -- Names of their indexes and constraints are wanted by the new tables.
  for old in select i.relname from pg_class i join pg_index x on x.indexrelid = i.oid join pg_class t on t.oid = x.indrelid
      join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'svc' and t.relname ~ '_before$'
  loop
    execute format('alter index svc.%I rename to %I', old.relname, left(old.relname, 50) || '_before');
  end loop;

  create sequence svc.run_ids;
  perform setval('svc.run_ids', (select coalesce(max(id), 0) + 1 from svc.runs_before), false);
  create table svc.runs (
    id bigint not null default nextval('svc.run_ids'),
    -- To the millisecond, as every program that names a run by it can hold it.
    due_at timestamptz not null check (due_at = date_trunc('milliseconds', due_at)),
    -- What made it: a subscription or a contract.
    subscription_id integer references svc.subscriptions,
    query_id integer references svc.queries,
    contract_id integer,
    evaluation_id bigint,
    -- Decides who sees it where it read no data source.
    project_id integer not null references svc.projects,
    -- What it is called where it has no query.
    title text,
    -- The query's version that ran.
    query_version integer,
    origin text not null check (origin in ('Schedule', 'Test')),
    started_by_user_id integer references svc.users,
    status text not null default 'Created' check (status in
      ('Created', 'Sent', 'Silenced', 'NoResults', 'Timeout', 'BelowThreshold', 'Failed', 'Skipped')),
    reason text,
    reason_detail jsonb,
    created_time timestamptz not null default now(),
    started_at timestamptz,
    -- Decided, and kept back until then.
    held_until timestamptz,
    finished_at timestamptz,
    execution_time_ms double precision,
    result_count bigint,
    previous_result_count bigint,
    -- The band in which the row count was expected.
    expected_lower double precision,
    expected_upper double precision,
    data_source_ids integer[],
    stored_results jsonb,
    -- Message 0; what else a run says stands in run_messages.
    message_sealed text,
    job_id uuid,
    trace_id text,
    recovered_at timestamptz,
    constraint runs_subject check (num_nonnulls(subscription_id, contract_id) = 1),
    constraint runs_name check (num_nonnulls(query_id, title) >= 1),
    primary key (id, due_at)
  ) partition by range (due_at);
  create index runs_due on svc.runs (due_at desc, id desc);
  create index runs_created on svc.runs (created_time desc, id desc);
  create index runs_status on svc.runs (status, due_at desc, id desc);
  create index runs_subscription on svc.runs (subscription_id, due_at desc, id desc);
  create index runs_message on svc.runs (finished_at) where message_sealed is not null;
  create index runs_contract on svc.runs (contract_id, due_at desc, id desc) where contract_id is not null;
  create unique index runs_tick on svc.runs (subscription_id, due_at) where origin = 'Schedule' and subscription_id is not null;

  create sequence svc.delivery_ids;
  perform setval('svc.delivery_ids', (select coalesce(max(id), 0) + 1 from svc.deliveries_before), false);
  create table svc.deliveries (
    id bigint not null default nextval('svc.delivery_ids'),
    run_id bigint not null,
    run_due_at timestamptz not null,
    -- Which of the run's messages.
    message_no integer not null default 0 check (message_no >= 0),
    recipient_id integer not null references svc.recipients,
    attempt integer not null default 1,
    state text not null check (state in ('Queued', 'Sending', 'Sent', 'Failed', 'Unknown', 'Skipped')),
    reason text,
    http_class text,
    bytes_sent integer,
    message_id text not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    duration_ms double precision,
    origin text not null default 'Run' check (origin in ('Run', 'Resend', 'Retry')),
    ordered_by_user_id integer references svc.users,
    due_at timestamptz,
    job_id uuid,
    notes text[] not null default '{}',
    remote_id text,
    retry_after_seconds integer check (retry_after_seconds between 0 and 86400),
    primary key (id, run_due_at)
  ) partition by range (run_due_at);
  create unique index deliveries_attempt on svc.deliveries (run_id, run_due_at, message_no, recipient_id, attempt);
  create index deliveries_recipient on svc.deliveries (recipient_id, started_at desc);
  create index deliveries_undone on svc.deliveries (started_at desc, id desc) where state in ('Failed', 'Unknown', 'Skipped');
  create index deliveries_open on svc.deliveries (id) where state in ('Queued', 'Sending');

  -- Messages 1 and further of a run, one for each recipient with rows of their own.
  create table svc.run_messages (
    -- The place that the message is bound to when it is sealed.
    id text generated always as (run_id::text || '/' || no::text) stored,
    run_id bigint not null,
    run_due_at timestamptz not null,
    no integer not null check (no >= 1),
    recipient_id integer not null references svc.recipients,
    message_sealed text,
    row_count bigint not null,
    primary key (id, run_due_at)
  ) partition by range (run_due_at);

  -- The file of a message, masked. Its bytes are sealed, in parts, so that neither writing nor reading holds it twice.
  create table svc.run_attachments (
    run_id bigint not null,
    run_due_at timestamptz not null,
    message_no integer not null default 0,
    name text not null,
    content_type text not null,
    row_count bigint not null,
    byte_count bigint not null,
    primary key (run_id, run_due_at, message_no)
  ) partition by range (run_due_at);
  create table svc.run_attachment_parts (
    -- The place that each part is bound to when it is sealed.
    id text generated always as (
      run_id::text || '/' || case when message_no = 0 then '' else message_no::text || '/' end || part::text) stored,
    run_id bigint not null,
    run_due_at timestamptz not null,
    message_no integer not null default 0,
    part integer not null,
    data_sealed text not null,
    primary key (id, run_due_at)
  ) partition by range (run_due_at);
  -- Ciphertext does not compress.
  alter table svc.run_attachment_parts alter column data_sealed set storage external;
  create unique index run_attachment_parts_place on svc.run_attachment_parts (run_id, run_due_at, message_no, part);

  create sequence svc.audit_event_ids;
  perform setval('svc.audit_event_ids', (select coalesce(max(id), 0) + 1 from svc.audit_events_before), false);
  create table svc.audit_events (
    id bigint not null default nextval('svc.audit_event_ids'),
    event text not null,
    occurred_at timestamptz not null default now(),
    actor_kind text not null,
    actor_user_id integer,
    api_key_id integer,
    client_address text,
    subject_kind text,
    subject_id bigint,
    project_id integer,
    trace_id text,
    detail jsonb not null default '{}',
    primary key (id, occurred_at)
  ) partition by range (occurred_at);
  create index audit_events_time on svc.audit_events (occurred_at desc, id desc);
  create index audit_events_event on svc.audit_events (event, occurred_at desc);
  create index audit_events_actor on svc.audit_events (actor_user_id, occurred_at desc);

  -- Ended runs by day: what a statement adds is a row of its own, so that no two runs wait for one; a job folds them.
  create table svc.run_counts_open (
    id bigint generated always as identity primary key,
    day date not null,
    subscription_id integer,
    contract_id integer,
    query_id integer,
    project_id integer not null,
    data_source_ids integer[] not null,
    status text not null,
    is_anomaly boolean not null default false,
    ended_at timestamptz not null
  );
  create table svc.run_days (
    day date not null,
    subscription_id integer,
    contract_id integer,
    query_id integer,
    project_id integer not null,
    data_source_ids integer[] not null,
    runs integer not null,
    -- Those that say whether all is well: neither skipped nor cut off.
    judged integer not null,
    good integer not null,
    failed integer not null,
    anomalies integer not null,
    last_good_at timestamptz,
    constraint run_days_key unique nulls not distinct (day, subscription_id, contract_id, query_id, project_id, data_source_ids)
  ) partition by range (day);
  create index run_days_subscription on svc.run_days (subscription_id, day);
  create index run_days_contract on svc.run_days (contract_id, day) where contract_id is not null;
  create table svc.run_totals (
    day date not null,
    project_id integer not null,
    data_source_ids integer[] not null,
    status text not null,
    runs bigint not null,
    primary key (day, project_id, data_source_ids, status)
  ) partition by range (day);

  -- Rows of no month that is there: nothing is refused for its time.
  create table svc.runs_rest partition of svc.runs default;
  create table svc.deliveries_rest partition of svc.deliveries default;
  create table svc.run_messages_rest partition of svc.run_messages default;
  create table svc.run_attachments_rest partition of svc.run_attachments default;
  create table svc.run_attachment_parts_rest partition of svc.run_attachment_parts default;
  create table svc.audit_events_rest partition of svc.audit_events default;
  create table svc.run_days_rest partition of svc.run_days default;
  create table svc.run_totals_rest partition of svc.run_totals default;

  -- Months that have rows, this one and the next two.
  first_month := date_trunc('month', least(
    (select min(due_at) from svc.runs_before), (select min(occurred_at) from svc.audit_events_before), now()) at time zone 'UTC');
  perform svc.add_month(parent, month::date)
    from unnest(array['runs', 'deliveries', 'run_messages', 'run_attachments', 'run_attachment_parts', 'run_days', 'run_totals',
      'audit_events']) as parent,
      generate_series(first_month, date_trunc('month', now() at time zone 'UTC') + interval '2 months', interval '1 month') as month;
end
$$;

-- A row is carried over once: each batch goes on behind the last id that has arrived.
do $$
declare
  batch constant integer := 20000;
  last bigint;
  upto bigint;
  total bigint;
begin
  if to_regclass('svc.runs_before') is null then
    return;
  end if;
  select coalesce(max(id), 0) into total from svc.runs_before;
  select coalesce(max(id), 0) into last from svc.runs where id <= total;
  loop
    select max(id) into upto from (select id from svc.runs_before where id > last order by id limit batch) b;
    exit when upto is null;
    insert into svc.runs (id, due_at, subscription_id, query_id, project_id, origin, started_by_user_id, status, reason,
        reason_detail, created_time, started_at, finished_at, execution_time_ms, result_count, previous_result_count,
        data_source_ids, stored_results, message_sealed, job_id, trace_id, recovered_at)
      select b.id, date_trunc('milliseconds', b.due_at), b.subscription_id, b.query_id, q.project_id, b.origin,
        b.started_by_user_id, b.status, b.reason, b.reason_detail, b.created_time, b.started_at, b.finished_at,
        b.execution_time_ms, b.result_count, b.previous_result_count, b.data_source_ids, b.stored_results,
        b.message_sealed, b.job_id, b.trace_id, b.recovered_at
      from svc.runs_before b join svc.queries q on q.id = b.query_id where b.id > last and b.id <= upto;
    last := upto;
    raise notice 'runs: % of %', last, total;
    commit;
  end loop;
end
$$;

do $$
declare
  batch constant integer := 20000;
  last bigint;
  upto bigint;
  total bigint;
begin
  if to_regclass('svc.deliveries_before') is null then
    return;
  end if;
  select coalesce(max(id), 0) into total from svc.deliveries_before;
  select coalesce(max(id), 0) into last from svc.deliveries where id <= total;
  loop
    select max(id) into upto from (select id from svc.deliveries_before where id > last order by id limit batch) b;
    exit when upto is null;
    insert into svc.deliveries (id, run_id, run_due_at, recipient_id, attempt, state, reason, http_class, bytes_sent,
        message_id, started_at, finished_at, duration_ms, origin, ordered_by_user_id, due_at, job_id, notes, remote_id,
        retry_after_seconds)
      select b.id, b.run_id, date_trunc('milliseconds', r.due_at), b.recipient_id, b.attempt, b.state, b.reason,
        b.http_class, b.bytes_sent, b.message_id, b.started_at, b.finished_at, b.duration_ms, b.origin,
        b.ordered_by_user_id, b.due_at, b.job_id, b.notes, b.remote_id, b.retry_after_seconds
      from svc.deliveries_before b join svc.runs_before r on r.id = b.run_id where b.id > last and b.id <= upto;
    last := upto;
    raise notice 'deliveries: % of %', last, total;
    commit;
  end loop;
end
$$;

-- A file and its parts arrive together.
do $$
declare
  batch constant integer := 100;
  last bigint;
  upto bigint;
begin
  if to_regclass('svc.run_attachments_before') is null then
    return;
  end if;
  select coalesce(max(run_id), 0) into last from svc.run_attachments;
  loop
    select max(run_id) into upto
      from (select run_id from svc.run_attachments_before where run_id > last order by run_id limit batch) b;
    exit when upto is null;
    insert into svc.run_attachments (run_id, run_due_at, name, content_type, row_count, byte_count)
      select b.run_id, date_trunc('milliseconds', r.due_at), b.name, b.content_type, b.row_count, b.byte_count
      from svc.run_attachments_before b join svc.runs_before r on r.id = b.run_id where b.run_id > last and b.run_id <= upto;
    insert into svc.run_attachment_parts (run_id, run_due_at, part, data_sealed)
      select b.run_id, date_trunc('milliseconds', r.due_at), b.part, b.data_sealed
      from svc.run_attachment_parts_before b join svc.runs_before r on r.id = b.run_id
      where b.run_id > last and b.run_id <= upto;
    last := upto;
    raise notice 'files: up to run %', last;
    commit;
  end loop;
end
$$;

do $$
declare
  batch constant integer := 50000;
  last bigint;
  upto bigint;
  total bigint;
begin
  if to_regclass('svc.audit_events_before') is null then
    return;
  end if;
  select coalesce(max(id), 0) into total from svc.audit_events_before;
  select coalesce(max(id), 0) into last from svc.audit_events where id <= total;
  loop
    select max(id) into upto from (select id from svc.audit_events_before where id > last order by id limit batch) b;
    exit when upto is null;
    insert into svc.audit_events select * from svc.audit_events_before where id > last and id <= upto;
    last := upto;
    raise notice 'audit events: % of %', last, total;
    commit;
  end loop;
end
$$;

-- The counts of what has ended, whole or not at all; then the tables of before go.
do $$
begin
  if to_regclass('svc.runs_before') is null then
    return;
  end if;
  insert into svc.run_days (day, subscription_id, query_id, project_id, data_source_ids, runs, judged, good, failed, anomalies, last_good_at)
    select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, coalesce(data_source_ids, '{}'), count(*),
      count(*) filter (where status <> 'Skipped'),
      count(*) filter (where status in ('Sent', 'Silenced', 'NoResults', 'BelowThreshold')),
      count(*) filter (where status in ('Failed', 'Timeout')), 0,
      max(finished_at) filter (where status in ('Sent', 'Silenced', 'NoResults', 'BelowThreshold'))
    from svc.runs where status <> 'Created' group by 1, 2, 3, 4, 5;
  insert into svc.run_totals (day, project_id, data_source_ids, status, runs)
    select (due_at at time zone 'UTC')::date, project_id, coalesce(data_source_ids, '{}'), status, count(*)
    from svc.runs where status <> 'Created' group by 1, 2, 3, 4;
  drop table svc.run_attachment_parts_before, svc.run_attachments_before, svc.deliveries_before, svc.runs_before,
    svc.audit_events_before;
end
$$;

-- Notices about any subject.
do $$
begin
  if exists (select from pg_attribute where attrelid = 'svc.notices'::regclass and attname = 'subject_kind') then
    return;
  end if;
  alter table svc.notices drop constraint notices_kind_check;
  alter table svc.notices
    add column subject_kind text check (subject_kind in
      ('Subscription', 'Query', 'Contract', 'Task', 'MigrationJob', 'AiActor', 'Settings')),
    add column subject_id integer,
    -- What the subject was called when this was told.
    add column subject_name text,
    -- Who may read it sees the notice; null: who holds the permission that the subject belongs to.
    add column project_id integer references svc.projects;
  update svc.notices n set subject_kind = 'Subscription', subject_id = n.subscription_id, subject_name = q.name,
      project_id = q.project_id
    from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = n.subscription_id;
  alter table svc.notices drop column subscription_id;
  alter table svc.notices alter column subject_kind set not null, alter column subject_name set not null;
  create index notices_subject on svc.notices (subject_kind, subject_id, id desc);
  create index notices_created on svc.notices (created_time);
end
$$;

analyze svc.runs, svc.deliveries, svc.audit_events, svc.run_days, svc.run_totals;
