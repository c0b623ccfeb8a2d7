-- Data contracts: what must hold of a table, rule by rule, and who is told when it does not.

create table svc.data_contracts (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  data_source_id integer not null references svc.data_sources,
  -- Empty where the engine has no schemas.
  schema_name text not null,
  table_name text not null,
  name text not null,
  description text,
  cron_expression text,
  time_zone text,
  is_enabled boolean not null,
  warn_score double precision not null check (warn_score between 0 and 100),
  fail_score double precision not null check (fail_score between 0 and 100),
  alert_mode text not null,
  alerts_on_warning boolean not null,
  keeps_samples boolean not null,
  snoozed_until timestamptz,
  snooze_reason text,
  owner_user_id integer references svc.users,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz,
  constraint data_contracts_scores check (fail_score <= warn_score),
  constraint data_contracts_schedule check (cron_expression is null or time_zone is not null)
);
create index data_contracts_name on svc.data_contracts (lower(name) collate "C", id) where archived_at is null;
create index data_contracts_project on svc.data_contracts (project_id) where archived_at is null;
create index data_contracts_source on svc.data_contracts (data_source_id) where archived_at is null;

create table svc.contract_rules (
  id integer generated always as identity primary key,
  contract_id integer not null references svc.data_contracts,
  -- Its place in the contract.
  position integer not null,
  name text not null,
  type text not null check (type in ('Freshness', 'Volume', 'NullRate', 'Range', 'Pattern', 'AcceptedValues', 'Referential',
    'Uniqueness', 'Schema', 'CustomSql')),
  columns text[] not null,
  config jsonb not null,
  severity text not null check (severity in ('Critical', 'High', 'Medium', 'Low')),
  weight double precision not null check (weight between 0.1 and 10),
  unit text not null check (unit in ('Rows', 'Percent')),
  warn_above double precision check (warn_above >= 0),
  fail_above double precision not null check (fail_above >= 0),
  is_enabled boolean not null,
  -- A rule that was taken out: what was found by it stays readable.
  archived_at timestamptz,
  constraint contract_rules_thresholds check (warn_above <= fail_above)
);
create index contract_rules_contract on svc.contract_rules (contract_id, position) where archived_at is null;

create table svc.contract_recipients (
  contract_id integer not null references svc.data_contracts,
  recipient_id integer not null references svc.recipients,
  attached_by_user_id integer references svc.users,
  attached_at timestamptz not null default now(),
  primary key (contract_id, recipient_id)
);
create index contract_recipients_recipient on svc.contract_recipients (recipient_id);
