-- Copies between data sources: what they are, how they went, and which sources they may write to.

alter table svc.data_sources add column are_migration_writes_allowed boolean not null default false;

create table svc.migration_jobs (
  id integer generated always as identity primary key,
  name text not null,
  description text,
  data_source_id integer not null references svc.data_sources,
  -- {kind: Query, sql} or {kind: Table, schema, table}.
  source jsonb not null,
  destination_data_source_id integer not null references svc.data_sources,
  destination_schema text not null,
  destination_table text not null,
  creates_table boolean not null,
  mode text not null check (mode in ('Insert', 'Upsert', 'Truncate', 'Sync')),
  key_columns text[] not null,
  -- [{from, to}]; null: by name.
  columns jsonb,
  -- {column, lookbackSeconds}.
  incremental jsonb,
  personal_data text not null check (personal_data in ('Refuse', 'Mask', 'Copy')),
  on_rejected_row text not null check (on_rejected_row in ('Fail', 'Skip')),
  rejected_rows_max integer not null check (rejected_rows_max >= 0),
  minimum_source_rows bigint not null check (minimum_source_rows >= 0),
  deleted_share_max double precision not null check (deleted_share_max between 0 and 1),
  cron_expression text,
  time_zone text,
  is_enabled boolean not null default true,
  retries_max integer not null check (retries_max between 0 and 10),
  timeout_minutes integer not null check (timeout_minutes between 1 and 1440),
  owner_user_id integer references svc.users,
  -- The greatest value of the incremental column that a completed copy has read.
  watermark text,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz
);
create index migration_jobs_name on svc.migration_jobs (lower(name) collate "C", id) where archived_at is null;
create index migration_jobs_destination on svc.migration_jobs (destination_data_source_id) where archived_at is null;

create sequence svc.migration_execution_ids;
create table svc.migration_executions (
  id bigint not null default nextval('svc.migration_execution_ids'),
  -- Of a tick its due time.
  created_time timestamptz not null default now(),
  migration_job_id integer not null references svc.migration_jobs,
  status text not null default 'Queued'
    check (status in ('Queued', 'Running', 'Completed', 'PartialSuccess', 'Failed', 'Cancelled')),
  stage text check (stage in ('Validating', 'Copying', 'Applying', 'Committing')),
  reason text,
  -- What went wrong, for people; it may repeat words of the engines.
  message text,
  trigger text not null check (trigger in ('Schedule', 'Manual', 'Retry')),
  is_trial boolean not null default false,
  -- The first is 1.
  attempt integer not null default 1,
  retry_of bigint,
  -- The job as it was when this began.
  definition jsonb not null,
  destination_data_source_id integer not null,
  started_by_user_id integer references svc.users,
  job_id uuid,
  trace_id text,
  -- How often a process has taken it up. Whoever writes names its own: one that was thought dead writes nothing.
  take integer not null default 0,
  -- What the tables that it needs at the destination are named by, with the take.
  staging_id uuid not null default gen_random_uuid(),
  -- Tables of it may still be at the destination.
  has_staging boolean not null default false,
  cancel_asked_at timestamptz,
  rows_read bigint not null default 0,
  bytes_read bigint not null default 0,
  estimated_rows bigint,
  rows_inserted bigint not null default 0,
  rows_updated bigint not null default 0,
  rows_unchanged bigint not null default 0,
  rows_deleted bigint not null default 0,
  rows_rejected bigint not null default 0,
  -- Columns that were copied as they are though they hold personal data.
  unmasked_columns text[] not null default '{}',
  watermark text,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (id, created_time)
) partition by range (created_time);
create index migration_executions_newest on svc.migration_executions (created_time desc, id desc);
create index migration_executions_job on svc.migration_executions (migration_job_id, created_time desc, id desc);
create index migration_executions_open on svc.migration_executions (id) where status in ('Queued', 'Running');
create index migration_executions_staging on svc.migration_executions (id) where has_staging;
-- A tick makes one, whoever takes it up.
create unique index migration_executions_tick on svc.migration_executions (migration_job_id, created_time)
  where trigger = 'Schedule';

-- Rows that a copy left out, or that ended it: no value of theirs but the key.
create table svc.migration_rejected_rows (
  execution_id bigint not null,
  execution_created_time timestamptz not null,
  no integer not null,
  row_number bigint not null,
  key text,
  column_name text,
  code text not null,
  primary key (execution_id, execution_created_time, no)
) partition by range (execution_created_time);

create table svc.migration_executions_rest partition of svc.migration_executions default;
create table svc.migration_rejected_rows_rest partition of svc.migration_rejected_rows default;
select svc.add_month(parent, month::date)
  from unnest(array['migration_executions', 'migration_rejected_rows']) as parent,
    generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC')
      + interval '2 months', interval '1 month') as month;
