-- Written by `npm run db:schema` from the migrations. Do not edit.

create type svc_jobs.job_kind as enum ('Job', 'Message', 'Batch');

create type svc_jobs.job_state as enum ('Scheduled', 'Enqueued', 'AwaitingParent', 'AwaitingRetry', 'Processing', 'Completed', 'Failed', 'Cancelled');

create table svc_jobs.concurrency_limit (
  key text not null,
  max_running integer not null,
  updated_at timestamp with time zone not null default now(),
  constraint concurrency_limit_max_running_check CHECK ((max_running >= 0)),
  constraint concurrency_limit_pkey PRIMARY KEY (key)
);

create table svc_jobs.endpoint_call_log (
  source_id bigint not null,
  id uuid not null,
  at timestamp with time zone,
  duration_ms double precision not null,
  status_code integer not null,
  is_failed boolean not null,
  group_name text,
  trace_id uuid,
  remote_ip text,
  user_agent text,
  user_name text,
  exception_type text,
  exception_message text,
  request_headers jsonb,
  response_headers jsonb,
  request_body text,
  response_body text,
  tags jsonb,
  constraint endpoint_call_log_pkey PRIMARY KEY (source_id, id)
);

CREATE INDEX endpoint_call_log_failure ON svc_jobs.endpoint_call_log USING btree (source_id, group_name, id) WHERE (is_failed AND (group_name IS NOT NULL));

CREATE INDEX endpoint_call_log_trace ON svc_jobs.endpoint_call_log USING btree (trace_id) WHERE (trace_id IS NOT NULL);

create table svc_jobs.endpoint_flush (
  id uuid not null,
  at timestamp with time zone not null default now(),
  constraint endpoint_flush_pkey PRIMARY KEY (id)
);

CREATE INDEX endpoint_flush_at ON svc_jobs.endpoint_flush USING btree (at);

create table svc_jobs.endpoint_group_statistic (
  application text not null,
  endpoint text not null,
  group_name text not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  constraint endpoint_group_statistic_pkey PRIMARY KEY (application, endpoint, group_name)
);

create table svc_jobs.endpoint_hour_statistic (
  application text not null,
  endpoint text not null,
  hour timestamp with time zone not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  constraint endpoint_hour_statistic_pkey PRIMARY KEY (application, endpoint, hour)
);

create table svc_jobs.endpoint_source (
  id bigint not null,
  application text,
  method text not null,
  route_template text not null,
  operation text,
  machine_name text not null,
  retention_ms bigint not null,
  seen_at timestamp with time zone not null default now(),
  constraint endpoint_source_pkey PRIMARY KEY (id)
);

create table svc_jobs.endpoint_statistic (
  application text not null,
  endpoint text not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  buckets bigint[] not null,
  constraint endpoint_statistic_pkey PRIMARY KEY (application, endpoint)
);

create table svc_jobs.job (
  id uuid not null,
  trace_id uuid not null,
  spawned_by uuid,
  parent_id uuid,
  batch_id uuid,
  worker_id uuid,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  lease_until timestamp with time zone,
  expire_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  state svc_jobs.job_state not null,
  kind svc_jobs.job_kind not null default 'Job'::svc_jobs.job_kind,
  fence integer not null default 0,
  concurrency_limit integer,
  priority smallint not null default 0,
  attempt smallint not null default 0,
  attempts_max smallint not null default 1,
  recoveries smallint not null default 0,
  runs_after_any boolean not null default false,
  dedupe_ends_at_start boolean not null default false,
  progress real,
  name text not null,
  queue text not null,
  concurrency_key text,
  dedupe_key text,
  schedule_key text,
  progress_text text,
  error text,
  payload jsonb,
  metadata jsonb,
  slot_at timestamp with time zone,
  constraint job_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.1);

CREATE INDEX job_batch ON svc_jobs.job USING btree (batch_id) WHERE (batch_id IS NOT NULL);

CREATE INDEX job_by_rare_state ON svc_jobs.job USING btree (state, id) WHERE (state = ANY (ARRAY['Processing'::svc_jobs.job_state, 'Failed'::svc_jobs.job_state, 'Cancelled'::svc_jobs.job_state, 'AwaitingParent'::svc_jobs.job_state]));

CREATE UNIQUE INDEX job_dedupe ON svc_jobs.job USING btree (dedupe_key) WHERE (dedupe_key IS NOT NULL);

CREATE INDEX job_due ON svc_jobs.job USING btree (due_at) WHERE (state = ANY (ARRAY['Scheduled'::svc_jobs.job_state, 'AwaitingRetry'::svc_jobs.job_state]));

CREATE INDEX job_expire ON svc_jobs.job USING btree (expire_at) WHERE (expire_at IS NOT NULL);

CREATE INDEX job_open_member ON svc_jobs.job USING btree (batch_id) WHERE ((batch_id IS NOT NULL) AND (state <> ALL (ARRAY['Completed'::svc_jobs.job_state, 'Failed'::svc_jobs.job_state, 'Cancelled'::svc_jobs.job_state])));

CREATE INDEX job_parent ON svc_jobs.job USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX job_ready ON svc_jobs.job USING btree (queue, priority DESC, due_at, id) WHERE ((state = 'Enqueued'::svc_jobs.job_state) AND (concurrency_key IS NULL));

CREATE INDEX job_ready_by_key ON svc_jobs.job USING btree (queue, concurrency_key, priority DESC, due_at, id) WHERE ((state = 'Enqueued'::svc_jobs.job_state) AND (concurrency_key IS NOT NULL));

CREATE INDEX job_running_by_key ON svc_jobs.job USING btree (concurrency_key) WHERE ((state = 'Processing'::svc_jobs.job_state) AND (concurrency_key IS NOT NULL));

CREATE INDEX job_spawned_by ON svc_jobs.job USING btree (spawned_by) WHERE (spawned_by IS NOT NULL);

CREATE INDEX job_trace ON svc_jobs.job USING btree (trace_id) WHERE (trace_id <> id);

create table svc_jobs.job_counter (
  id bigint not null generated,
  at timestamp with time zone not null,
  name text not null,
  completed integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  retried integer not null default 0,
  duration_ms bigint not null default 0,
  constraint job_counter_pkey PRIMARY KEY (id)
);

create table svc_jobs.job_log (
  job_id uuid not null,
  id bigint not null generated,
  worker_id uuid,
  at timestamp with time zone not null,
  duration_ms integer,
  attempt smallint,
  event text not null,
  level text,
  message text,
  error text,
  constraint job_log_pkey PRIMARY KEY (job_id, id)
);

create table svc_jobs.job_minute_statistic (
  minute timestamp with time zone not null,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  retried bigint not null default 0,
  duration_ms bigint not null default 0,
  constraint job_minute_statistic_pkey PRIMARY KEY (minute)
);

create table svc_jobs.job_statistic (
  hour timestamp with time zone not null,
  name text not null,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  retried bigint not null default 0,
  duration_ms bigint not null default 0,
  constraint job_statistic_pkey PRIMARY KEY (hour, name)
);

create table svc_jobs.migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table svc_jobs.queue (
  name text not null,
  paused_at timestamp with time zone,
  constraint queue_pkey PRIMARY KEY (name)
);

create table svc_jobs.rate_window (
  key text not null,
  ends_at timestamp with time zone not null,
  used integer not null,
  is_full boolean not null,
  constraint rate_window_pkey PRIMARY KEY (key)
);

CREATE INDEX rate_window_full ON svc_jobs.rate_window USING btree (ends_at) WHERE is_full;

create table svc_jobs.schedule (
  key text not null,
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
  skips_overlap boolean not null default false,
  next_due_at timestamp with time zone,
  last_due_at timestamp with time zone,
  last_job_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  refired_until timestamp with time zone,
  constraint schedule_pkey PRIMARY KEY (key)
);

CREATE INDEX schedule_due ON svc_jobs.schedule USING btree (next_due_at) WHERE (next_due_at IS NOT NULL);

create table svc_jobs.schedule_tick (
  schedule_key text not null,
  due_at timestamp with time zone not null,
  fired_at timestamp with time zone not null,
  job_id uuid,
  missed_count integer not null default 0,
  constraint schedule_tick_pkey PRIMARY KEY (schedule_key, due_at)
);

create table svc_jobs.server (
  id uuid not null,
  name text not null,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  process_id integer not null,
  rss_bytes bigint not null default 0,
  cpu_percent real not null default 0,
  is_scheduler boolean not null default true,
  constraint server_pkey PRIMARY KEY (id)
);

create table svc_jobs.worker (
  id uuid not null,
  server_id uuid not null,
  queue text not null,
  concurrency integer not null,
  running integer not null default 0,
  constraint worker_pkey PRIMARY KEY (id),
  constraint worker_server_id_fkey FOREIGN KEY (server_id) REFERENCES svc_jobs.server(id) ON DELETE CASCADE
);

CREATE INDEX worker_server ON svc_jobs.worker USING btree (server_id);

create view svc_jobs.endpoint_calls as
 SELECT l.id,
    s.application,
    s.method,
    s.route_template,
    s.operation,
    s.machine_name,
    l.group_name,
    COALESCE(l.at, svc_jobs.time_of_uuid(l.id)) AS began_at,
    l.duration_ms,
    l.status_code,
        CASE
            WHEN l.is_failed THEN 'Failed'::text
            ELSE 'Success'::text
        END AS outcome,
    l.remote_ip,
    l.user_agent,
    l.user_name,
    COALESCE(l.trace_id, l.id) AS trace_id,
    l.tags,
    l.exception_type,
    l.exception_message,
    l.request_headers,
    l.response_headers,
    l.request_body,
    l.response_body,
    (COALESCE(l.at, svc_jobs.time_of_uuid(l.id)) + ((s.retention_ms)::double precision * '00:00:00.001'::interval)) AS expires_at
   FROM (svc_jobs.endpoint_call_log l
     JOIN svc_jobs.endpoint_source s ON ((s.id = l.source_id)));
