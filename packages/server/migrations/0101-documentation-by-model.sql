-- Documentation with the words of a language model, and how its generations go.

alter table svc.documentation_sections
  -- What the waiting text is, and becomes when it is taken.
  add column proposed_provenance text check (proposed_provenance in ('Facts', 'Model')),
  drop constraint documentation_sections_provenance_check,
  add constraint documentation_sections_provenance_check check (provenance in ('Facts', 'Model', 'Person'));
update svc.documentation_sections set proposed_provenance = 'Facts' where proposed_content is not null;
alter table svc.documentation_sections
  add check ((proposed_content is null) = (proposed_provenance is null));

-- What a model says of a table. It is asked again once what it was told of the table has changed.
create table svc.documentation_table_notes (
  project_id integer not null references svc.projects,
  data_source_id integer not null references svc.data_sources,
  -- An engine without schemas has the schema ''.
  schema_name text not null,
  table_name text not null,
  -- Of what the model was told.
  told_hash text not null,
  -- Empty where names, types and comments say nothing.
  purpose text not null,
  model text not null,
  created_time timestamptz not null default now(),
  primary key (project_id, data_source_id, schema_name, table_name)
);
create index documentation_table_notes_source on svc.documentation_table_notes (data_source_id);

create table svc.documentation_generations (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  state text not null default 'Waiting' check (state in ('Waiting', 'Running', 'Completed', 'Failed', 'Cancelled')),
  -- Whether a model is asked.
  is_model_asked boolean not null,
  job_id text,
  started_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  finished_at timestamptz,
  tables_to_describe integer not null default 0,
  tables_described integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  is_estimated boolean not null default false,
  -- Null: without prices.
  cost_micros bigint,
  model text,
  failure text,
  check ((finished_at is null) = (state in ('Waiting', 'Running')))
);
-- One at a time in a project.
create unique index documentation_generations_open on svc.documentation_generations (project_id)
  where finished_at is null;
create index documentation_generations_project on svc.documentation_generations (project_id, id desc);
