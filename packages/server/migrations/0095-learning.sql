-- What is learnt of how data is asked for: signals of calls, patterns made of them, and what they add to documentation.

-- A statement that an AI client or the page Ask sent. It names things of the schema; texts only where the project keeps them.
create table svc.learning_signals (
  id bigint generated always as identity primary key,
  project_id integer not null references svc.projects on delete cascade,
  data_source_id integer not null references svc.data_sources on delete cascade,
  -- Keyed digest: callers are told apart, and nobody is named.
  caller_hash text not null,
  tool text not null,
  -- 'Succeeded', or the code of what refused.
  outcome text not null,
  -- Of ask: what people say of the answer decides whether it is learnt from.
  answer_id integer,
  tables text[] not null default '{}',
  -- [table, column] and [table, column, table, column].
  columns jsonb not null default '[]',
  joins jsonb not null default '[]',
  -- Names that the schema does not have, and the statement without its values: only where the project keeps texts.
  unknown_names text[] not null default '{}',
  shape text,
  created_time timestamptz not null default now()
);
create index learning_signals_project on svc.learning_signals (project_id, data_source_id, created_time);
create index learning_signals_source on svc.learning_signals (data_source_id);
create index learning_signals_time on svc.learning_signals (created_time);

create table svc.learned_patterns (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects on delete cascade,
  data_source_id integer not null references svc.data_sources on delete cascade,
  kind text not null check (kind in ('SchemaCorrection', 'JoinPattern', 'CommonQuery', 'DocumentationGap', 'BusinessTerm')),
  -- What makes it the same pattern when it is found again.
  identity text not null,
  table_name text not null,
  column_name text,
  content jsonb not null,
  signal_count integer not null,
  caller_count integer not null,
  state text not null default 'Proposed' check (state in ('Proposed', 'Approved', 'Rejected', 'Superseded')),
  decided_by_user_id integer references svc.users,
  decided_at timestamptz,
  -- What a replay on golden examples said when it was decided.
  replay jsonb,
  created_time timestamptz not null default now(),
  refreshed_at timestamptz not null default now()
);
create unique index learned_patterns_identity on svc.learned_patterns (project_id, data_source_id, kind, identity);
create index learned_patterns_source on svc.learned_patterns (data_source_id);

-- Sentences for the notes of a project's documentation.
create table svc.documentation_patches (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects on delete cascade,
  pattern_id integer not null unique references svc.learned_patterns on delete cascade,
  section_kind text not null default 'Notes',
  content text not null,
  state text not null default 'Proposed' check (state in ('Proposed', 'Applied', 'Rejected', 'Superseded')),
  decided_by_user_id integer references svc.users,
  decided_at timestamptz,
  created_time timestamptz not null default now()
);
create index documentation_patches_project on svc.documentation_patches (project_id, state);

-- Notes are written by people, and grow by patches that people apply.
alter table svc.documentation_sections drop constraint documentation_sections_kind_check;
alter table svc.documentation_sections add constraint documentation_sections_kind_check
  check (kind in ('DataModel', 'DataFlows', 'CodeLineage', 'DataQuality', 'Notes'));
