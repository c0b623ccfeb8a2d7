-- Repositories of a project's code, and the lines in them that name tables of its data sources.

create table svc.repositories (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  url text not null check (length(url) between 1 and 500),
  branch text not null check (length(branch) between 1 and 200),
  token_sealed text,
  scan_status text not null default 'NotScanned'
    check (scan_status in ('NotScanned', 'Waiting', 'Scanning', 'Completed', 'Failed')),
  scan_failure text,
  scanned_at timestamptz,
  commit_id text,
  file_count integer,
  reference_count integer not null default 0,
  is_cut boolean not null default false,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz,
  check ((scan_status = 'Failed') = (scan_failure is not null))
);
create unique index repositories_once on svc.repositories (project_id, lower(url), branch) where archived_at is null;

create table svc.code_references (
  id bigint generated always as identity primary key,
  repository_id integer not null references svc.repositories,
  path text not null,
  line integer not null check (line >= 1),
  table_name text not null,
  kind text not null check (kind in ('RawSql', 'Model', 'Migration', 'Other')),
  -- Absent where the line looks like it holds a secret.
  snippet text check (length(snippet) <= 300)
);
create index code_references_repository on svc.code_references (repository_id, path, line);
create index code_references_table on svc.code_references (repository_id, lower(table_name));
