-- Calls of HTTP endpoints that the library exposes. Diagnostics: rows are sampled, dropped when too many wait, and
-- removed by age; the statistics below count every call.
create table __schema__.endpoint_call_log (
  id uuid primary key,
  application text,
  method text not null,
  route_template text not null,
  operation text,
  group_name text,
  at timestamptz not null,
  duration_ms double precision not null,
  outcome text not null check (outcome in ('Success', 'Failed')),
  status_code integer not null,
  remote_ip text,
  user_agent text,
  user_name text,
  exception_type text,
  exception_message text,
  request_headers jsonb,
  response_headers jsonb,
  request_body text,
  response_body text,
  machine_name text not null,
  trace_id uuid not null,
  tags jsonb,
  expire_at timestamptz not null
);
create index endpoint_call_log_endpoint on __schema__.endpoint_call_log (method, route_template, id desc);
create index endpoint_call_log_trace on __schema__.endpoint_call_log (trace_id);
create index endpoint_call_log_expire on __schema__.endpoint_call_log (expire_at);

-- An application of its own name counts apart; '' stands for none.
create table __schema__.endpoint_statistic (
  application text not null,
  endpoint text not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  -- Calls by the upper edges 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000 ms; slower ones are in the last.
  buckets bigint[] not null,
  primary key (application, endpoint)
);

create table __schema__.endpoint_group_statistic (
  application text not null,
  endpoint text not null,
  group_name text not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  primary key (application, endpoint, group_name)
);

create table __schema__.endpoint_hour_statistic (
  application text not null,
  endpoint text not null,
  hour timestamptz not null,
  success bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  primary key (application, endpoint, hour)
);
