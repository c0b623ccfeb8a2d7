-- Saved queries: one or more steps, each on one data source, and a final query over the steps' results.

create table svc.queries (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  name text not null,
  description text,
  final_query text,
  parameters jsonb not null default '[]',
  is_locked boolean not null default false,
  locked_at timestamptz,
  locked_by_user_id integer references svc.users,
  is_demo boolean not null default false,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by_user_id integer references svc.users,
  version integer not null default 1,
  archived_at timestamptz
);
create index queries_project on svc.queries (project_id);
create index queries_name on svc.queries (lower(name) collate "C", id) where archived_at is null;

create table svc.query_steps (
  id integer generated always as identity primary key,
  query_id integer not null references svc.queries,
  step_order integer not null check (step_order >= 1),
  name text,
  description text,
  data_source_id integer not null references svc.data_sources,
  sql text not null,
  constraint query_steps_order unique (query_id, step_order) deferrable initially deferred
);
create index query_steps_source on svc.query_steps (data_source_id);
