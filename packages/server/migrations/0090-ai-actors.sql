-- AI actors: what thinks about a data source and proposes queries, subscriptions and contracts, which people decide on.

create table svc.ai_actors (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  data_source_id integer not null references svc.data_sources,
  name text not null check (length(name) <= 200),
  instructions text not null check (length(instructions) <= 4000),
  additional_context text check (length(additional_context) <= 8000),
  state text not null check (state in ('Draft', 'Active', 'Paused', 'Failed', 'Archived')),
  think_schedule text,
  time_zone text not null,
  is_thinking_after_runs boolean not null,
  max_queries integer not null check (max_queries >= 1),
  max_subscriptions_per_query integer not null check (max_subscriptions_per_query >= 1),
  max_actions_per_plan integer not null check (max_actions_per_plan >= 1),
  monthly_tokens bigint not null check (monthly_tokens >= 1),
  default_recipient_ids integer[] not null,
  requires_approval boolean not null,
  owner_user_id integer not null references svc.users,
  created_by_user_id integer not null references svc.users,
  -- Thinks that failed one after the other; the third one fails the actor.
  failed_thinks integer not null default 0 check (failed_thinks >= 0),
  last_failure text,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create index ai_actors_project on svc.ai_actors (project_id);
create index ai_actors_source on svc.ai_actors (data_source_id);
create index ai_actors_owner on svc.ai_actors (owner_user_id);
create index ai_actors_creator on svc.ai_actors (created_by_user_id);

create table svc.ai_thinks (
  id integer generated always as identity primary key,
  actor_id integer not null references svc.ai_actors,
  origin text not null check (origin in ('Request', 'Refinement', 'Revision', 'Schedule', 'AfterRun')),
  state text not null default 'Waiting' check (state in ('Waiting', 'Working', 'Completed', 'Failed', 'Cancelled')),
  ordered_by_user_id integer references svc.users,
  ordered_by_host_user text,
  feedback text check (length(feedback) <= 4000),
  -- The plan that it is to do better.
  parent_plan_id integer,
  analysis text,
  findings jsonb not null default '[]',
  -- Proposed actions that were not let into the plan: [{type, reasoning, problem}].
  discarded jsonb not null default '[]',
  -- Queries that were saved at once: [{type, queryId, queryName}].
  applied jsonb not null default '[]',
  failure_code text,
  failure text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated boolean not null default false,
  model text,
  prompt_version integer,
  job_id uuid,
  ordered_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is null) = (state in ('Waiting', 'Working')))
);
-- An actor thinks one thing at a time.
create unique index ai_thinks_open on svc.ai_thinks (actor_id) where finished_at is null;
create index ai_thinks_actor on svc.ai_thinks (actor_id, id desc);
create index ai_thinks_orderer on svc.ai_thinks (ordered_by_user_id);

create table svc.ai_plans (
  id integer generated always as identity primary key,
  actor_id integer not null references svc.ai_actors,
  think_id integer not null unique references svc.ai_thinks,
  plan_version integer not null check (plan_version >= 1),
  parent_plan_id integer references svc.ai_plans,
  status text not null default 'Pending' check (status in
    ('Pending', 'Applied', 'Rejected', 'Withdrawn', 'RevisionRequested', 'Expired')),
  -- Of the actions and of everything that they were proved against.
  plan_hash text not null,
  -- Who has a part in it, and so never decides: creator and owner, and who ordered its thinks.
  barred_user_ids integer[] not null,
  barred_host_users text[] not null,
  decided_by_user_id integer references svc.users,
  decided_by_host_user text,
  decided_at timestamptz,
  comment text,
  created_time timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((decided_at is null) = (status = 'Pending'))
);
-- One plan of an actor waits at a time.
create unique index ai_plans_pending on svc.ai_plans (actor_id) where status = 'Pending';
create index ai_plans_actor on svc.ai_plans (actor_id, id desc);
create index ai_plans_parent on svc.ai_plans (parent_plan_id);
create index ai_plans_decider on svc.ai_plans (decided_by_user_id);
alter table svc.ai_thinks add constraint ai_thinks_parent_plan foreign key (parent_plan_id) references svc.ai_plans;
create index ai_thinks_parent on svc.ai_thinks (parent_plan_id);

create table svc.ai_plan_actions (
  id integer generated always as identity primary key,
  plan_id integer not null references svc.ai_plans,
  action_order integer not null check (action_order >= 1),
  type text not null check (type in
    ('CreateQuery', 'RefineQuery', 'CreateSubscription', 'ArchiveSubscription', 'CreateContract')),
  reasoning text not null,
  -- What is to be done, as code has proved it.
  definition jsonb not null,
  -- Rows of the run that proved a statement: masked, and only for who reads the project.
  sample_sealed text,
  is_applied boolean not null default false,
  result_query_id integer references svc.queries,
  result_subscription_id integer references svc.subscriptions,
  result_contract_id integer references svc.data_contracts,
  unique (plan_id, action_order)
);
create index ai_plan_actions_query on svc.ai_plan_actions (result_query_id);
create index ai_plan_actions_subscription on svc.ai_plan_actions (result_subscription_id);
create index ai_plan_actions_contract on svc.ai_plan_actions (result_contract_id);

-- Whose work a query or a subscription is.
alter table svc.queries add column ai_actor_id integer references svc.ai_actors;
create index queries_ai_actor on svc.queries (ai_actor_id) where ai_actor_id is not null;
alter table svc.subscriptions add column ai_actor_id integer references svc.ai_actors;
create index subscriptions_ai_actor on svc.subscriptions (ai_actor_id) where ai_actor_id is not null;

-- A plan is decided like any change, in its own place.
alter table svc.approval_requests add column ai_plan_id integer unique references svc.ai_plans;
alter table svc.approval_requests
  drop constraint approval_requests_kind_check,
  add constraint approval_requests_kind_check check (kind in ('Recipient', 'Query', 'Plan')),
  add constraint approval_requests_of_plan check ((kind = 'Plan') = (ai_plan_id is not null));

-- Tokens of an actor in a month.
alter table svc.llm_budgets
  drop constraint llm_budgets_scope_check,
  add constraint llm_budgets_scope_check check (scope in ('ServiceMonth', 'UserDay', 'ActorMonth'));
alter table svc.llm_calls add column ai_actor_id integer references svc.ai_actors;
create index llm_calls_ai_actor on svc.llm_calls (ai_actor_id) where ai_actor_id is not null;
