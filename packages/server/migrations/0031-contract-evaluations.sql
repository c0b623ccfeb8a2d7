-- How data contracts stood when they were looked at: each evaluation, and what it found of each rule.

create table svc.contract_evaluations (
  id bigint generated always as identity primary key,
  contract_id integer not null references svc.data_contracts,
  -- Of a tick its due time.
  created_time timestamptz not null default now(),
  trigger text not null check (trigger in ('Schedule', 'Manual')),
  status text not null default 'Queued' check (status in ('Queued', 'Running', 'Passed', 'Warned', 'Failed', 'Error')),
  -- Why nothing could be judged.
  reason text,
  -- 0 to 100; null: nothing could be judged.
  score double precision,
  total_rows bigint,
  -- Which version of the contract was held against the table.
  contract_version integer,
  started_by_user_id integer references svc.users,
  job_id uuid,
  trace_id text,
  -- How often a process has taken it up. One that was thought dead writes nothing.
  take integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz
);
create index contract_evaluations_contract on svc.contract_evaluations (contract_id, created_time desc, id desc);
create index contract_evaluations_created on svc.contract_evaluations (created_time);
-- A contract is looked at once at a time, and once for each tick.
create unique index contract_evaluations_open on svc.contract_evaluations (contract_id) where status in ('Queued', 'Running');
create unique index contract_evaluations_tick on svc.contract_evaluations (contract_id, created_time) where trigger = 'Schedule';

create table svc.contract_rule_results (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references svc.contract_evaluations on delete cascade,
  rule_id integer not null references svc.contract_rules,
  position integer not null,
  -- What the rule was then.
  name text not null,
  type text not null,
  severity text not null,
  outcome text not null check (outcome in ('Passed', 'Warned', 'Failed', 'Error')),
  score double precision,
  failing bigint,
  total bigint,
  message text,
  -- Rows that broke the rule, masked.
  sample_sealed text
);
create index contract_rule_results_evaluation on svc.contract_rule_results (evaluation_id, position);
create index contract_rule_results_sample on svc.contract_rule_results (evaluation_id) where sample_sealed is not null;
