-- Calls to the language model and the budgets that they are charged to.

-- Reservations take turns on this row: what holds across budgets (calls at once, calls of a minute) is counted under it.
create table svc.llm_gate (
  only_row boolean primary key default true check (only_row)
);
insert into svc.llm_gate default values;

-- Tokens of a span: of the service in a month, of a user on a day. Spans are those of UTC.
create table svc.llm_budgets (
  scope text not null check (scope in ('ServiceMonth', 'UserDay')),
  -- The user; 0 for the service.
  subject_id integer not null,
  starts_on date not null,
  spent bigint not null default 0 check (spent >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  primary key (scope, subject_id, starts_on)
);

-- One row for each request to a provider. What was asked and answered is none of it.
create table svc.llm_calls (
  id bigint generated always as identity primary key,
  purpose text not null,
  model text not null,
  user_id integer references svc.users,
  project_id integer references svc.projects,
  started_at timestamptz not null,
  -- Past it nobody settles the call: the sweep books its bound.
  lease_until timestamptz not null,
  bound bigint not null check (bound > 0),
  finished_at timestamptz,
  is_lost boolean not null default false,
  -- Tokens that are booked.
  input_tokens bigint,
  output_tokens bigint,
  is_estimated boolean not null default false,
  outcome text,
  check ((finished_at is null) = (input_tokens is null) and (finished_at is null) = (output_tokens is null))
);

create index llm_calls_open on svc.llm_calls (lease_until) where finished_at is null;
create index llm_calls_started on svc.llm_calls (started_at);
create index llm_calls_user on svc.llm_calls (user_id, id desc);
create index llm_calls_project on svc.llm_calls (project_id) where project_id is not null;
