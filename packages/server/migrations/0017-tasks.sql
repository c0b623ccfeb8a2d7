-- Tasks: what somebody has to see to while a subscription finds rows, and how that went.

alter table svc.subscriptions add column create_tasks boolean not null default false;
-- Hours within which a task of the subscription is to be resolved; null: no such promise.
alter table svc.subscriptions add column sla_hours integer check (sla_hours between 1 and 720);

create table svc.tasks (
  id integer generated always as identity primary key,
  -- What it is about: a subscription or a contract.
  subscription_id integer references svc.subscriptions,
  contract_id integer,
  -- Who may read it sees the task.
  project_id integer not null references svc.projects,
  -- What it is called where it has no query.
  title text,
  state text not null default 'Open' check (state in ('Open', 'Resolved')),
  priority text not null default 'Normal' check (priority in ('Critical', 'High', 'Normal', 'Low')),
  assignee_user_id integer references svc.users,
  -- Times that a job is ordered for are to the millisecond, as a program can hold them.
  due_at timestamptz check (due_at = date_trunc('milliseconds', due_at)),
  -- When people were told that it is overdue.
  overdue_told_at timestamptz,
  snoozed_until timestamptz check (snoozed_until = date_trunc('milliseconds', snoozed_until)),
  -- The count at which it was snoozed: more rows wake it.
  snoozed_count bigint,
  -- Rows of the last run that said something.
  latest_count bigint not null,
  latest_at timestamptz not null default now(),
  created_time timestamptz not null default now(),
  resolved_at timestamptz,
  -- Null where a run found it gone.
  resolved_by_user_id integer references svc.users,
  resolution text check (resolution in ('Automatic', 'Manual')),
  notes text check (length(notes) <= 2000),
  -- The task about the same thing before this one.
  previous_task_id integer references svc.tasks,
  version integer not null default 1,
  constraint tasks_subject check (num_nonnulls(subscription_id, contract_id) = 1),
  constraint tasks_name check (num_nonnulls(subscription_id, title) >= 1),
  constraint tasks_resolution check (
    (state = 'Resolved') = (resolved_at is not null) and (state = 'Resolved') = (resolution is not null)),
  constraint tasks_snooze check (num_nonnulls(snoozed_until, snoozed_count) in (0, 2))
);
-- At most one is open for each subject, however many runs end at once.
create unique index tasks_open_subscription on svc.tasks (subscription_id) where state = 'Open' and subscription_id is not null;
create unique index tasks_open_contract on svc.tasks (contract_id) where state = 'Open' and contract_id is not null;
create index tasks_subscription on svc.tasks (subscription_id, id desc);
create index tasks_project on svc.tasks (project_id, state, id desc);
create index tasks_state on svc.tasks (state, id desc);
create index tasks_assignee on svc.tasks (assignee_user_id, id desc) where assignee_user_id is not null;
create index tasks_previous on svc.tasks (previous_task_id) where previous_task_id is not null;

create table svc.task_watchers (
  task_id integer not null references svc.tasks,
  user_id integer not null references svc.users,
  watched_at timestamptz not null default now(),
  primary key (task_id, user_id)
);
create index task_watchers_user on svc.task_watchers (user_id);

-- What happened to a task, comments among it; rows are added and never changed.
create table svc.task_events (
  id bigint generated always as identity primary key,
  task_id integer not null references svc.tasks,
  kind text not null check (kind in ('Opened', 'CountChanged', 'Assigned', 'Unassigned', 'PriorityChanged', 'Snoozed', 'Woke',
    'Overdue', 'Resolved', 'Reopened', 'Commented')),
  created_time timestamptz not null default now(),
  -- Null: the service by itself.
  user_id integer references svc.users,
  -- What somebody wrote: a comment, the notes of a resolution.
  content text check (length(content) between 1 and 4000),
  detail jsonb not null default '{}'
);
create index task_events_task on svc.task_events (task_id, id desc);

-- When the reader got it by mail; what is told of one task shortly after it waits, and goes out as one mail.
alter table svc.notices add column mailed_at timestamptz;
create index notices_unmailed on svc.notices (user_id, subject_id, id) where subject_kind = 'Task' and mailed_at is null;
create index notices_mailed on svc.notices (user_id, subject_id, mailed_at desc) where subject_kind = 'Task' and mailed_at is not null;
