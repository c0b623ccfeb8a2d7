-- Projects, their members, data sources and the links between them.

create table svc.projects (
  id integer generated always as identity primary key,
  name text not null,
  description text,
  access_mode text not null default 'Open' check (access_mode in ('Open', 'Restricted')),
  is_demo boolean not null default false,
  -- Null: made by the system (the demo) and not taken over yet.
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz
);
create index projects_name on svc.projects (lower(name) collate "C", id) where archived_at is null;
create index projects_created on svc.projects (created_time desc, id desc) where archived_at is null;

create table svc.project_members (
  project_id integer not null references svc.projects,
  user_id integer not null references svc.users,
  role text not null check (role in ('Viewer', 'Editor', 'ProjectAdmin')),
  added_by_user_id integer references svc.users,
  added_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (project_id, user_id)
);
create index project_members_user on svc.project_members (user_id);

create table svc.data_sources (
  id integer generated always as identity primary key,
  name text not null,
  description text,
  engine text not null,
  -- What may be shown of the connection: host, port, database, user, files.
  connection_shown jsonb not null,
  -- Envelope of the whole connection, secrets included.
  connection_sealed text not null,
  metadata_options jsonb not null default '{}',
  -- Last forced refresh of the metadata, so that all replicas together refresh no more often than allowed.
  metadata_refresh_asked_at timestamptz,
  is_demo boolean not null default false,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz
);
create index data_sources_name on svc.data_sources (lower(name) collate "C", id) where archived_at is null;

create table svc.project_data_sources (
  project_id integer not null references svc.projects,
  data_source_id integer not null references svc.data_sources,
  linked_by_user_id integer references svc.users,
  linked_at timestamptz not null default now(),
  primary key (project_id, data_source_id)
);
create index project_data_sources_source on svc.project_data_sources (data_source_id);

-- The last snapshot of tables and columns of a source.
create table svc.data_source_metadata (
  data_source_id integer primary key references svc.data_sources,
  snapshot jsonb not null,
  refreshed_at timestamptz not null
);
