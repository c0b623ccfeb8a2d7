-- What the calls of an endpoint in one process have in common is stored once, and each row names it by its number: rows
-- take half the room. Numbers are made by the processes from what they stand for, so that nobody has to ask for one.
create table __schema__.endpoint_source (
  id bigint primary key,
  application text,
  method text not null,
  route_template text not null,
  operation text,
  machine_name text not null,
  -- How long its rows are kept.
  retention_ms bigint not null,
  -- When a process last said that it is in use.
  seen_at timestamptz not null default now()
);

-- The time with which a uuid of version 7 begins, in whole ms.
create function __schema__.time_of_uuid(uuid) returns timestamptz language sql immutable strict parallel safe
  return to_timestamp(('x' || left(translate($1::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

create table __schema__.endpoint_call (
  source_id bigint not null,
  id uuid not null,
  -- When it began; null: at the time with which its id begins, as all that come.
  at timestamptz,
  duration_ms double precision not null,
  status_code integer not null,
  is_failed boolean not null,
  group_name text,
  -- Null: the call's own id.
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
  tags jsonb
);

create temporary table old_source on commit drop as
select row_number() over () as id, o.*
from (
  select distinct application, method, route_template, operation, machine_name,
    round(extract(epoch from expire_at - at))::bigint * 1000 as retention_ms
  from __schema__.endpoint_call_log
) o;

insert into __schema__.endpoint_source (id, application, method, route_template, operation, machine_name, retention_ms)
select id, application, method, route_template, operation, machine_name, retention_ms from old_source;

insert into __schema__.endpoint_call (source_id, id, at, duration_ms, status_code, is_failed, group_name, trace_id,
  remote_ip, user_agent, user_name, exception_type, exception_message, request_headers, response_headers, request_body,
  response_body, tags)
select s.id, l.id, nullif(l.at, __schema__.time_of_uuid(l.id)), l.duration_ms, l.status_code, l.outcome = 'Failed', l.group_name, nullif(l.trace_id, l.id),
  l.remote_ip, l.user_agent, l.user_name, l.exception_type, l.exception_message, l.request_headers, l.response_headers,
  l.request_body, l.response_body, l.tags
from __schema__.endpoint_call_log l join old_source s on s.application is not distinct from l.application
  and s.method = l.method and s.route_template = l.route_template and s.operation is not distinct from l.operation
  and s.machine_name = l.machine_name
  and s.retention_ms = round(extract(epoch from l.expire_at - l.at))::bigint * 1000;

drop table __schema__.endpoint_call_log;
alter table __schema__.endpoint_call rename to endpoint_call_log;
-- The rows of a source in the order of their making, which is that of their going as well: the only index that has an
-- entry of every row.
alter table __schema__.endpoint_call_log add constraint endpoint_call_log_pkey primary key (source_id, id);
create index endpoint_call_log_trace on __schema__.endpoint_call_log (trace_id) where trace_id is not null;
create index endpoint_call_log_failure on __schema__.endpoint_call_log (source_id, group_name, id)
  where is_failed and group_name is not null;
