-- Definitions of queries, each kept as it was saved: what ran and who changed it can be told afterwards.

alter table svc.query_steps add column step_key uuid not null default gen_random_uuid();
alter table svc.query_steps add constraint query_steps_key unique (query_id, step_key);

-- Equal for equal definitions: jsonb has one order of members and one spelling of a number.
create function svc.query_definition_hash(name text, description text, final_query text, parameters jsonb, steps jsonb)
  returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(
    jsonb_build_array(name, description, final_query, parameters, steps)::text, 'UTF8')), 'hex')
$$;

create table svc.query_versions (
  id integer generated always as identity primary key,
  query_id integer not null references svc.queries,
  version_number integer not null check (version_number >= 1),
  status text not null check (status in ('Active', 'Archived', 'PendingApproval', 'Rejected', 'Withdrawn')),
  name text not null,
  description text,
  final_query text,
  parameters jsonb not null,
  -- [{key, order, name, description, dataSourceId, sql}], in their order.
  steps jsonb not null,
  definition_hash text not null
    generated always as (svc.query_definition_hash(name, description, final_query, parameters, steps)) stored,
  change_source text not null check (change_source in ('User', 'Restore', 'AiActor', 'Import')),
  change_reason text check (length(change_reason) <= 2000),
  restored_from_id integer references svc.query_versions,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  constraint query_versions_number unique (query_id, version_number)
);
create unique index query_versions_active on svc.query_versions (query_id) where status = 'Active';
create unique index query_versions_pending on svc.query_versions (query_id) where status = 'PendingApproval';

-- Version 1 of each query is what it holds now, whoever saved it last.
insert into svc.query_versions (query_id, version_number, status, name, description, final_query, parameters, steps,
    change_source, created_by_user_id, created_time)
  select q.id, 1, 'Active', q.name, q.description, q.final_query, q.parameters,
    coalesce((
      select jsonb_agg(jsonb_build_object('key', s.step_key, 'order', s.step_order, 'name', s.name,
        'description', s.description, 'dataSourceId', s.data_source_id, 'sql', s.sql) order by s.step_order)
      from svc.query_steps s where s.query_id = q.id), '[]'),
    'User', coalesce(q.updated_by_user_id, q.created_by_user_id), q.updated_at
  from svc.queries q order by q.id;

alter table svc.queries add column active_version_id integer references svc.query_versions;
update svc.queries q set active_version_id = v.id from svc.query_versions v where v.query_id = q.id;

-- What ran; null: a run of before, or of no query.
alter table svc.runs add column query_version_id integer references svc.query_versions;
