-- Evaluations of a project by a schedule, and the accuracy that they are held against.

create table svc.eval_schedules (
  project_id integer primary key references svc.projects,
  cron text not null,
  time_zone text not null,
  min_accuracy double precision not null check (min_accuracy between 0 and 1),
  repeats integer not null check (repeats between 1 and 5),
  max_tokens bigint,
  is_paused boolean not null default false,
  -- Why the service paused it; null: nobody did, or somebody.
  pause_reason text check (pause_reason in ('OwnerGone')),
  -- Who saved it last: evaluations are theirs. Null: a program of the host.
  owner_user_id integer references svc.users,
  -- Whether the last evaluation that was completed was less accurate than it should be: that is told once.
  is_below boolean not null default false,
  last_skipped_at timestamptz,
  last_skip_reason text check (last_skip_reason in ('NoExamples', 'NotConfigured', 'BudgetSpent', 'StillRunning')),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);

-- The accuracy that a scheduled evaluation is held against, as it was when it began; null: somebody started it.
alter table svc.eval_runs add column min_accuracy double precision;

alter table svc.notices drop constraint notices_subject_kind_check;
alter table svc.notices add constraint notices_subject_kind_check check (subject_kind in
  ('Subscription', 'Query', 'Contract', 'Task', 'MigrationJob', 'AiActor', 'EvaluationSchedule', 'Settings'));
