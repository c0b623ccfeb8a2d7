-- __schema__ stands for the quoted name of the schema, chosen by whoever installs the library.

create type __schema__.job_state as enum (
  'Scheduled', 'Enqueued', 'AwaitingParent', 'AwaitingRetry', 'Processing', 'Completed', 'Failed', 'Cancelled'
);
create type __schema__.job_kind as enum ('Job', 'Message', 'Batch');

create table __schema__.job (
  id uuid primary key,
  trace_id uuid not null,
  -- The job in whose handler this one was enqueued.
  spawned_by uuid,
  -- The job that has to end before this one may start.
  parent_id uuid,
  -- The batch or message that this one is a member of.
  batch_id uuid,
  -- The process that claimed it last.
  worker_id uuid,
  created_at timestamptz not null,
  due_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  lease_until timestamptz,
  expire_at timestamptz,
  cancel_requested_at timestamptz,
  state __schema__.job_state not null,
  kind __schema__.job_kind not null default 'Job',
  -- Fencing token: raised by one at every claim; a write that carries an older one changes nothing.
  fence integer not null default 0,
  concurrency_limit integer,
  priority smallint not null default 0,
  attempt smallint not null default 0,
  attempts_max smallint not null default 1,
  -- How often its worker was lost. Does not count as an attempt, but has its own bound.
  recoveries smallint not null default 0,
  -- A continuation that runs however its parent ended; otherwise only after a success.
  runs_after_any boolean not null default false,
  dedupe_ends_at_start boolean not null default false,
  progress real,
  name text not null,
  queue text not null,
  concurrency_key text,
  -- Held only as long as it keeps others out, then null.
  dedupe_key text,
  schedule_key text,
  progress_text text,
  error text,
  payload jsonb,
  metadata jsonb
);

-- The order in which jobs are claimed. Jobs with a concurrency key are claimed by their own statement.
create index job_ready on __schema__.job (queue, priority desc, due_at, id)
  where state = 'Enqueued' and concurrency_key is null;
create index job_ready_by_key on __schema__.job (queue, concurrency_key, priority desc, due_at, id)
  where state = 'Enqueued' and concurrency_key is not null;
create index job_running_by_key on __schema__.job (concurrency_key)
  where state = 'Processing' and concurrency_key is not null;
create index job_due on __schema__.job (due_at) where state in ('Scheduled', 'AwaitingRetry');
-- Lists and counts of the rarer states, and the sweep over what runs. The large states (Enqueued, Completed)
-- are listed by the primary key, whose ids sort by time.
create index job_by_rare_state on __schema__.job (state, id)
  where state in ('Processing', 'Failed', 'Cancelled', 'AwaitingParent');
create index job_parent on __schema__.job (parent_id) where parent_id is not null;
create index job_batch on __schema__.job (batch_id) where batch_id is not null;
create index job_spawned_by on __schema__.job (spawned_by) where spawned_by is not null;
create index job_trace on __schema__.job (trace_id) where trace_id <> id;
create index job_expire on __schema__.job (expire_at) where expire_at is not null;
create unique index job_dedupe on __schema__.job (dedupe_key) where dedupe_key is not null;

alter table __schema__.job set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.1
);

-- History: one row per end of an attempt or other change of state, and what handlers wrote.
create table __schema__.job_log (
  job_id uuid not null,
  id bigint generated always as identity (cache 50),
  worker_id uuid,
  at timestamptz not null,
  duration_ms integer,
  attempt smallint,
  -- A state that was entered, or CancelRequested, Recovered, Log.
  event text not null,
  level text,
  message text,
  error text,
  primary key (job_id, id)
);

-- Increments written with each batch of finished jobs, folded into job_statistic.
create table __schema__.job_counter (
  id bigint generated always as identity (cache 50) primary key,
  at timestamptz not null,
  name text not null,
  completed integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  retried integer not null default 0,
  duration_ms bigint not null default 0
);

create table __schema__.job_statistic (
  hour timestamptz not null,
  name text not null,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  retried bigint not null default 0,
  duration_ms bigint not null default 0,
  primary key (hour, name)
);

-- One row per running process, one per queue that it serves.
create table __schema__.server (
  id uuid primary key,
  name text not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  process_id integer not null,
  rss_bytes bigint not null default 0,
  cpu_percent real not null default 0
);

create table __schema__.worker (
  id uuid primary key,
  server_id uuid not null references __schema__.server (id) on delete cascade,
  queue text not null,
  concurrency integer not null,
  running integer not null default 0
);
create index worker_server on __schema__.worker (server_id);

-- Limits set at run time win over those in code: keys of jobs, and 'queue:<name>' for a whole queue.
create table __schema__.concurrency_limit (
  key text primary key,
  max_running integer not null check (max_running >= 0),
  updated_at timestamptz not null default now()
);

create table __schema__.queue (
  name text primary key,
  paused_at timestamptz
);

create table __schema__.schedule (
  key text primary key,
  cron text not null,
  time_zone text not null,
  job_name text not null,
  queue text not null,
  payload jsonb,
  metadata jsonb,
  priority smallint not null default 0,
  attempts_max smallint not null default 1,
  concurrency_key text,
  concurrency_limit integer,
  is_enabled boolean not null default true,
  -- A tick is skipped while the job of an earlier one has not ended.
  skips_overlap boolean not null default false,
  -- Null when disabled or when it never comes due again.
  next_due_at timestamptz,
  last_due_at timestamptz,
  last_job_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index schedule_due on __schema__.schedule (next_due_at) where next_due_at is not null;

-- The unique row that lets each tick fire once, whatever number of processes try.
create table __schema__.schedule_tick (
  schedule_key text not null,
  due_at timestamptz not null,
  fired_at timestamptz not null,
  -- Null when the tick was skipped.
  job_id uuid,
  -- Due times before this one that were passed over, since nothing was running.
  missed_count integer not null default 0,
  primary key (schedule_key, due_at)
);
