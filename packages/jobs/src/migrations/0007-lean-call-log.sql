-- Calls of an endpoint in the order of their making: rows that come are put at its end, where `id desc` put each of them
-- at a beginning and split pages in the middle. Read backwards for the newest.
drop index __schema__.endpoint_call_log_endpoint;
create index endpoint_call_log_endpoint on __schema__.endpoint_call_log (method, route_template, id);
