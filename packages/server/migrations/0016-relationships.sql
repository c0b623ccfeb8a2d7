-- How tables of a data source hang together: declared keys, what was inferred and accepted, and what people added.

create table svc.relationships (
  id integer generated always as identity primary key,
  data_source_id integer not null references svc.data_sources,
  source_schema text not null,
  source_table text not null,
  -- A composite key is one relationship: its columns stand in the order of those of the other end.
  source_columns text[] not null,
  target_schema text not null,
  target_table text not null,
  target_columns text[] not null,
  label text not null check (length(label) <= 200),
  origin text not null check (origin in ('ForeignKey', 'Inferred', 'Manual')),
  cardinality text not null check (cardinality in ('OneToOne', 'ManyToOne', 'ManyToMany', 'Unknown')),
  confidence numeric not null check (confidence > 0 and confidence <= 1),
  verified_by_user_id integer references svc.users,
  verified_at timestamptz,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz,
  -- Deleted: somebody did not want it, and it never comes back by itself. Vanished: the key is no longer declared.
  archived_because text check (archived_because in ('Deleted', 'Vanished')),
  check (cardinality(source_columns) between 1 and 32 and cardinality(source_columns) = cardinality(target_columns)),
  check ((archived_at is null) = (archived_because is null)),
  constraint relationships_ends unique
    (data_source_id, source_schema, source_table, source_columns, target_schema, target_table, target_columns)
);
