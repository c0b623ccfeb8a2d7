-- Calls as they are documented, one row each, for whoever reads the database: columns are added to it and never taken
-- away, however the tables below are cut.
create view __schema__.endpoint_calls as
select l.id, s.application, s.method, s.route_template, s.operation, s.machine_name, l.group_name,
  coalesce(l.at, __schema__.time_of_uuid(l.id)) as began_at, l.duration_ms, l.status_code,
  case when l.is_failed then 'Failed' else 'Success' end as outcome,
  l.remote_ip, l.user_agent, l.user_name, coalesce(l.trace_id, l.id) as trace_id, l.tags,
  l.exception_type, l.exception_message, l.request_headers, l.response_headers, l.request_body, l.response_body,
  coalesce(l.at, __schema__.time_of_uuid(l.id)) + s.retention_ms * interval '1 millisecond' as expires_at
from __schema__.endpoint_call_log l join __schema__.endpoint_source s on s.id = l.source_id;
