-- Statements that may become golden examples, made of what people say of answers.
create table svc.golden_candidates (
  id integer generated always as identity primary key,
  feedback_id integer not null unique references svc.answer_feedback on delete cascade,
  state text not null default 'Proposed' check (state in ('Proposed', 'Promoted', 'Dismissed')),
  golden_example_id integer references svc.golden_examples on delete set null,
  decided_by_user_id integer references svc.users,
  decided_at timestamptz,
  proposed_at timestamptz not null default now(),
  check ((state = 'Proposed') = (decided_at is null))
);
create index golden_candidates_open on svc.golden_candidates (id) where state = 'Proposed';
create index golden_candidates_example on svc.golden_candidates (golden_example_id);

-- How well questions are answered whose answer is known.
create table svc.eval_runs (
  id integer generated always as identity primary key,
  project_id integer references svc.projects,
  -- The examples, as they were chosen.
  golden_ids integer[] not null,
  repeats integer not null check (repeats between 1 and 5),
  max_tokens bigint,
  state text not null default 'Waiting' check (state in ('Waiting', 'Running', 'Completed', 'Stopped', 'Cancelled', 'Failed')),
  failure text,
  model text,
  job_id uuid,
  started_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is null) = (state in ('Waiting', 'Running')))
);
create index eval_runs_project on svc.eval_runs (project_id);

create table svc.eval_results (
  id integer generated always as identity primary key,
  run_id integer not null references svc.eval_runs on delete cascade,
  golden_id integer not null,
  repeat_no integer not null,
  question text not null,
  expected text not null,
  gold_sql text,
  sql text,
  verdict text not null check (verdict in
    ('Passed', 'WrongRows', 'WrongTables', 'NotRun', 'Abstained', 'AnsweredUnanswerable', 'Harness')),
  detail text,
  repairs integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  duration_ms integer not null,
  unique (run_id, golden_id, repeat_no)
);
