-- Questions whose right answer people have said: what a model is shown and what it is judged by.

create table svc.golden_examples (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  data_source_id integer not null references svc.data_sources,
  question text not null,
  -- Digest of the question without case, spacing and closing marks: two spellings are one question.
  question_key text not null,
  -- NoAnswer: the data cannot answer it, and whoever answers is wrong.
  expected text not null check (expected in ('Rows', 'NoAnswer')),
  sql text,
  notes text,
  is_active boolean not null default true,
  -- Why the statement does not run any more, as the last check found; null while it does.
  broken_reason text,
  checked_at timestamptz,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check ((sql is null) = (expected = 'NoAnswer'))
);

create unique index golden_examples_question on svc.golden_examples (project_id, data_source_id, question_key);
create index golden_examples_source on svc.golden_examples (data_source_id);
create index golden_examples_checked on svc.golden_examples (checked_at nulls first, id);
