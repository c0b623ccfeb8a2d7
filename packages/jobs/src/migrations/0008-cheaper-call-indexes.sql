-- A call whose caller sent no trace has its own id as its trace: the primary key finds it, as it does jobs.
drop index __schema__.endpoint_call_log_trace;
create index endpoint_call_log_trace on __schema__.endpoint_call_log (trace_id) where trace_id <> id;

-- Calls of an endpoint in the order of their making, under a number instead of two texts: entries are smaller and
-- compared sooner. Whoever reads by it compares the texts as well, since two endpoints may have the same number.
drop index __schema__.endpoint_call_log_endpoint;
create index endpoint_call_log_endpoint on __schema__.endpoint_call_log (hashtext(method || ' ' || route_template), id);
