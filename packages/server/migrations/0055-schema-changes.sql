-- What refreshes of metadata found to be different, and whether the engines can still plan the saved queries.

create table svc.schema_changes (
  id bigint generated always as identity primary key,
  data_source_id integer not null references svc.data_sources,
  found_at timestamptz not null default now(),
  kind text not null
    check (kind in ('TableAdded', 'TableRemoved', 'ColumnAdded', 'ColumnRemoved', 'ColumnRetyped')),
  schema_name text not null,
  table_name text not null,
  column_name text,
  type_before text,
  type_after text,
  check ((column_name is null) = (kind in ('TableAdded', 'TableRemoved')))
);
create index schema_changes_source on svc.schema_changes (data_source_id, id desc);

create table svc.query_checks (
  query_id integer primary key references svc.queries,
  -- What was checked: a later version of the query has not been.
  version_id integer references svc.query_versions,
  verdict text not null check (verdict in ('Passed', 'Failed', 'NotChecked')),
  message text,
  checked_at timestamptz not null default now(),
  check ((verdict = 'Passed') = (message is null))
);
create index query_checks_failed on svc.query_checks (query_id) where verdict = 'Failed';
