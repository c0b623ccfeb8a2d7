-- Queries that AI clients are offered as tools of their own, each pinned to a version that somebody vouched for.

alter table svc.query_versions add constraint query_versions_own unique (query_id, id);

create table svc.query_tools (
  query_id integer primary key references svc.queries,
  is_enabled boolean not null,
  -- Clients call `q_` and this.
  name text not null check (name ~ '^[a-z][a-z0-9_]{2,40}$'),
  -- Null: what the version says of itself.
  description text check (length(description) <= 2000),
  version_id integer not null,
  -- When it came to be offered: the order in which clients are told.
  enabled_at timestamptz not null default now(),
  published_at timestamptz not null default now(),
  published_by_user_id integer references svc.users,
  version integer not null default 1,
  constraint query_tools_version foreign key (query_id, version_id) references svc.query_versions (query_id, id)
);
-- A client knows a tool by its name alone, whatever project it is of.
create unique index query_tools_name on svc.query_tools (name) where is_enabled;

alter table svc.query_changes
  -- What was published.
  add column version_id integer references svc.query_versions,
  drop constraint query_changes_kind_check,
  add constraint query_changes_kind_check
    check (kind in ('Locked', 'Unlocked', 'Moved', 'Published', 'Unpublished'));

-- Clients that have run saved queries go on doing so; elsewhere only what was published is offered to them.
insert into svc.mcp_settings (project_id, version, values)
  select null, 1, '{"savedQueries": "All"}'
  where exists (select from svc.audit_events
    where event = 'mcp.tool_called' and detail ->> 'tool' = 'run_saved_query')
  on conflict (coalesce(project_id, 0)) do update
    set values = svc.mcp_settings.values || excluded.values, version = svc.mcp_settings.version + 1;

-- What somebody ran on a query's page or in the editor, for themselves alone: the newest 50 are kept.
create table svc.own_runs (
  id bigint generated always as identity primary key,
  user_id integer not null references svc.users,
  project_id integer not null references svc.projects,
  -- Null: a draft that was never saved.
  query_id integer references svc.queries,
  -- Null: what ran was not what any version says.
  version_number integer,
  -- [{dataSourceId, name, sql}], in their order.
  steps jsonb not null,
  final_query text,
  outcome text not null check (outcome in ('Succeeded', 'Failed', 'Stopped')),
  message text,
  row_count bigint,
  duration_ms double precision not null,
  ran_at timestamptz not null default now()
);
create index own_runs_user on svc.own_runs (user_id, id desc);
