-- Questions about data, and what was answered.

create table svc.conversations (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  -- Who asks: `user:` and the id of a user, or `host:` and the identifier of a host's user.
  owner_key text not null,
  created_time timestamptz not null default now()
);
create index conversations_owner on svc.conversations (owner_key, id desc);
create index conversations_project on svc.conversations (project_id);

create table svc.answers (
  id integer generated always as identity primary key,
  conversation_id integer not null references svc.conversations on delete cascade,
  data_source_id integer references svc.data_sources,
  question text not null,
  is_run boolean not null,
  state text not null default 'Waiting' check (state in
    ('Waiting', 'Working', 'Answered', 'NeedsClarification', 'CannotAnswer', 'Refused', 'Failed', 'Cancelled')),
  stage text,
  basis text check (basis in ('Checked', 'Model')),
  golden_example_id integer,
  confidence text check (confidence in ('High', 'Medium', 'Low')),
  sql text,
  -- Assumptions, advisories, what is asked back, what is missing, the failure, similar examples, columns.
  detail jsonb not null default '{}',
  -- Rows that it ended with, masked; gone after a while.
  rows_sealed text,
  rows_until timestamptz,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated boolean not null default false,
  duration_ms integer,
  prompt_version integer,
  job_id uuid,
  asked_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((finished_at is null) = (state in ('Waiting', 'Working')))
);
create index answers_conversation on svc.answers (conversation_id, id);
create index answers_open on svc.answers (asked_at) where finished_at is null;
create index answers_source on svc.answers (data_source_id);
create index answers_rows on svc.answers (rows_until) where rows_until is not null;

-- What people say of answers. It outlives them: examples are made of it.
create table svc.answer_feedback (
  id integer generated always as identity primary key,
  answer_id integer unique references svc.answers on delete set null,
  project_id integer not null references svc.projects,
  data_source_id integer references svc.data_sources,
  user_id integer references svc.users,
  question text not null,
  -- What was answered, and what would have been right.
  sql text,
  right_sql text,
  verdict text not null check (verdict in ('Right', 'Wrong')),
  comment text,
  basis text,
  given_at timestamptz not null default now()
);
create index answer_feedback_project on svc.answer_feedback (project_id, id desc);
create index answer_feedback_source on svc.answer_feedback (data_source_id);
create index answer_feedback_user on svc.answer_feedback (user_id);
