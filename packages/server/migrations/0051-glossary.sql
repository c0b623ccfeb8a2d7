-- The business glossary of projects: what words mean, and which table or column they stand for.

create table svc.glossary_terms (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  -- Null: the term is of the whole project.
  data_source_id integer references svc.data_sources,
  term text not null,
  synonyms text[] not null default '{}',
  definition text not null,
  -- An engine without schemas has the schema ''.
  target_schema text,
  target_table text,
  target_column text,
  is_active boolean not null default true,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check ((target_schema is null) = (target_table is null)),
  check (target_column is null or target_table is not null),
  check (target_table is null or data_source_id is not null)
);

-- One meaning for a word, whatever its case.
create unique index glossary_terms_term on svc.glossary_terms (project_id, lower(term));
create index glossary_terms_source on svc.glossary_terms (data_source_id) where data_source_id is not null;
