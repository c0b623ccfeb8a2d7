-- Settings of the MCP endpoint that change at run time, and who changed them.

create table svc.mcp_settings (
  id integer generated always as identity primary key,
  -- Null: for all projects.
  project_id integer references svc.projects,
  -- Only what was set; the rest are defaults, or the settings for all projects.
  values jsonb not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by_user_id integer references svc.users
);
create unique index mcp_settings_project on svc.mcp_settings (coalesce(project_id, 0));

create table svc.mcp_settings_changes (
  id bigint generated always as identity primary key,
  project_id integer references svc.projects,
  changed_at timestamptz not null default now(),
  changed_by_user_id integer references svc.users,
  -- Only the fields that changed.
  before jsonb not null,
  after jsonb not null
);
create index mcp_settings_changes_project on svc.mcp_settings_changes (project_id, id desc);
