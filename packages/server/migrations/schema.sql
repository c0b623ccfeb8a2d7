-- Written by `npm run db:schema` from the migrations. Do not edit.

create table svc.ai_actors (
  id integer not null generated,
  project_id integer not null,
  data_source_id integer not null,
  name text not null,
  instructions text not null,
  additional_context text,
  state text not null,
  think_schedule text,
  time_zone text not null,
  is_thinking_after_runs boolean not null,
  max_queries integer not null,
  max_subscriptions_per_query integer not null,
  max_actions_per_plan integer not null,
  monthly_tokens bigint not null,
  default_recipient_ids integer[] not null,
  requires_approval boolean not null,
  owner_user_id integer not null,
  created_by_user_id integer not null,
  failed_thinks integer not null default 0,
  last_failure text,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint ai_actors_additional_context_check CHECK ((length(additional_context) <= 8000)),
  constraint ai_actors_failed_thinks_check CHECK ((failed_thinks >= 0)),
  constraint ai_actors_instructions_check CHECK ((length(instructions) <= 4000)),
  constraint ai_actors_max_actions_per_plan_check CHECK ((max_actions_per_plan >= 1)),
  constraint ai_actors_max_queries_check CHECK ((max_queries >= 1)),
  constraint ai_actors_max_subscriptions_per_query_check CHECK ((max_subscriptions_per_query >= 1)),
  constraint ai_actors_monthly_tokens_check CHECK ((monthly_tokens >= 1)),
  constraint ai_actors_name_check CHECK ((length(name) <= 200)),
  constraint ai_actors_state_check CHECK ((state = ANY (ARRAY['Draft'::text, 'Active'::text, 'Paused'::text, 'Failed'::text, 'Archived'::text]))),
  constraint ai_actors_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint ai_actors_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint ai_actors_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint ai_actors_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint ai_actors_pkey PRIMARY KEY (id)
);

CREATE INDEX ai_actors_creator ON svc.ai_actors USING btree (created_by_user_id);

CREATE INDEX ai_actors_owner ON svc.ai_actors USING btree (owner_user_id);

CREATE INDEX ai_actors_project ON svc.ai_actors USING btree (project_id);

CREATE INDEX ai_actors_source ON svc.ai_actors USING btree (data_source_id);

create table svc.ai_plan_actions (
  id integer not null generated,
  plan_id integer not null,
  action_order integer not null,
  type text not null,
  reasoning text not null,
  definition jsonb not null,
  sample_sealed text,
  is_applied boolean not null default false,
  result_query_id integer,
  result_subscription_id integer,
  result_contract_id integer,
  constraint ai_plan_actions_action_order_check CHECK ((action_order >= 1)),
  constraint ai_plan_actions_type_check CHECK ((type = ANY (ARRAY['CreateQuery'::text, 'RefineQuery'::text, 'CreateSubscription'::text, 'ArchiveSubscription'::text, 'CreateContract'::text]))),
  constraint ai_plan_actions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES svc.ai_plans(id),
  constraint ai_plan_actions_result_contract_id_fkey FOREIGN KEY (result_contract_id) REFERENCES svc.data_contracts(id),
  constraint ai_plan_actions_result_query_id_fkey FOREIGN KEY (result_query_id) REFERENCES svc.queries(id),
  constraint ai_plan_actions_result_subscription_id_fkey FOREIGN KEY (result_subscription_id) REFERENCES svc.subscriptions(id),
  constraint ai_plan_actions_pkey PRIMARY KEY (id),
  constraint ai_plan_actions_plan_id_action_order_key UNIQUE (plan_id, action_order)
);

CREATE INDEX ai_plan_actions_contract ON svc.ai_plan_actions USING btree (result_contract_id);

CREATE INDEX ai_plan_actions_query ON svc.ai_plan_actions USING btree (result_query_id);

CREATE INDEX ai_plan_actions_subscription ON svc.ai_plan_actions USING btree (result_subscription_id);

create table svc.ai_plans (
  id integer not null generated,
  actor_id integer not null,
  think_id integer not null,
  plan_version integer not null,
  parent_plan_id integer,
  status text not null default 'Pending'::text,
  plan_hash text not null,
  barred_user_ids integer[] not null,
  barred_host_users text[] not null,
  decided_by_user_id integer,
  decided_by_host_user text,
  decided_at timestamp with time zone,
  comment text,
  created_time timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint ai_plans_check CHECK (((decided_at IS NULL) = (status = 'Pending'::text))),
  constraint ai_plans_plan_version_check CHECK ((plan_version >= 1)),
  constraint ai_plans_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Applied'::text, 'Rejected'::text, 'Withdrawn'::text, 'RevisionRequested'::text, 'Expired'::text]))),
  constraint ai_plans_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES svc.ai_actors(id),
  constraint ai_plans_decided_by_user_id_fkey FOREIGN KEY (decided_by_user_id) REFERENCES svc.users(id),
  constraint ai_plans_parent_plan_id_fkey FOREIGN KEY (parent_plan_id) REFERENCES svc.ai_plans(id),
  constraint ai_plans_think_id_fkey FOREIGN KEY (think_id) REFERENCES svc.ai_thinks(id),
  constraint ai_plans_pkey PRIMARY KEY (id),
  constraint ai_plans_think_id_key UNIQUE (think_id)
);

CREATE INDEX ai_plans_actor ON svc.ai_plans USING btree (actor_id, id DESC);

CREATE INDEX ai_plans_decider ON svc.ai_plans USING btree (decided_by_user_id);

CREATE INDEX ai_plans_parent ON svc.ai_plans USING btree (parent_plan_id);

CREATE UNIQUE INDEX ai_plans_pending ON svc.ai_plans USING btree (actor_id) WHERE (status = 'Pending'::text);

create table svc.ai_thinks (
  id integer not null generated,
  actor_id integer not null,
  origin text not null,
  state text not null default 'Waiting'::text,
  ordered_by_user_id integer,
  ordered_by_host_user text,
  feedback text,
  parent_plan_id integer,
  analysis text,
  findings jsonb not null default '[]'::jsonb,
  discarded jsonb not null default '[]'::jsonb,
  applied jsonb not null default '[]'::jsonb,
  failure_code text,
  failure text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated boolean not null default false,
  model text,
  prompt_version integer,
  job_id uuid,
  ordered_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  slot_at timestamp with time zone,
  constraint ai_thinks_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['Waiting'::text, 'Working'::text])))),
  constraint ai_thinks_feedback_check CHECK ((length(feedback) <= 4000)),
  constraint ai_thinks_origin_check CHECK ((origin = ANY (ARRAY['Request'::text, 'Refinement'::text, 'Revision'::text, 'Schedule'::text, 'AfterRun'::text]))),
  constraint ai_thinks_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Working'::text, 'Completed'::text, 'Failed'::text, 'Cancelled'::text]))),
  constraint ai_thinks_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES svc.ai_actors(id),
  constraint ai_thinks_ordered_by_user_id_fkey FOREIGN KEY (ordered_by_user_id) REFERENCES svc.users(id),
  constraint ai_thinks_parent_plan FOREIGN KEY (parent_plan_id) REFERENCES svc.ai_plans(id),
  constraint ai_thinks_pkey PRIMARY KEY (id)
);

CREATE INDEX ai_thinks_actor ON svc.ai_thinks USING btree (actor_id, id DESC);

CREATE UNIQUE INDEX ai_thinks_open ON svc.ai_thinks USING btree (actor_id) WHERE (finished_at IS NULL);

CREATE INDEX ai_thinks_orderer ON svc.ai_thinks USING btree (ordered_by_user_id);

CREATE INDEX ai_thinks_parent ON svc.ai_thinks USING btree (parent_plan_id);

CREATE UNIQUE INDEX ai_thinks_slot ON svc.ai_thinks USING btree (actor_id, slot_at) WHERE (slot_at IS NOT NULL);

create table svc.alert_states (
  subscription_id integer,
  state text not null,
  streak integer not null default 0,
  since timestamp with time zone not null,
  told_state text not null default 'Ok'::text,
  told_at timestamp with time zone,
  moved_by bigint,
  contract_id integer,
  acknowledged_at timestamp with time zone,
  acknowledged_by_user_id integer,
  acknowledgement_note text,
  constraint alert_states_acknowledged CHECK (
CASE
    WHEN (acknowledged_at IS NULL) THEN (num_nonnulls(acknowledged_by_user_id, acknowledgement_note) = 0)
    ELSE (state = ANY (ARRAY['Firing'::text, 'Recovering'::text]))
END),
  constraint alert_states_acknowledgement_note_check CHECK ((length(acknowledgement_note) <= 500)),
  constraint alert_states_state_check CHECK ((state = ANY (ARRAY['Ok'::text, 'Pending'::text, 'Firing'::text, 'Recovering'::text]))),
  constraint alert_states_streak_check CHECK ((streak >= 0)),
  constraint alert_states_subject CHECK ((num_nonnulls(subscription_id, contract_id) = 1)),
  constraint alert_states_told CHECK (((told_state = 'Firing'::text) = (told_at IS NOT NULL))),
  constraint alert_states_told_state_check CHECK ((told_state = ANY (ARRAY['Ok'::text, 'Firing'::text]))),
  constraint alert_states_acknowledged_by_user_id_fkey FOREIGN KEY (acknowledged_by_user_id) REFERENCES svc.users(id),
  constraint alert_states_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id) ON DELETE CASCADE,
  constraint alert_states_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id) ON DELETE CASCADE,
  constraint alert_states_contract UNIQUE (contract_id),
  constraint alert_states_subscription UNIQUE (subscription_id)
);

CREATE INDEX alert_states_firing ON svc.alert_states USING btree (since) WHERE (state = ANY (ARRAY['Firing'::text, 'Recovering'::text]));

create table svc.answer_feedback (
  id integer not null generated,
  answer_id integer,
  project_id integer not null,
  data_source_id integer,
  user_id integer,
  question text not null,
  sql text,
  right_sql text,
  verdict text not null,
  comment text,
  basis text,
  given_at timestamp with time zone not null default now(),
  constraint answer_feedback_verdict_check CHECK ((verdict = ANY (ARRAY['Right'::text, 'Wrong'::text]))),
  constraint answer_feedback_answer_id_fkey FOREIGN KEY (answer_id) REFERENCES svc.answers(id) ON DELETE SET NULL,
  constraint answer_feedback_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint answer_feedback_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint answer_feedback_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint answer_feedback_pkey PRIMARY KEY (id),
  constraint answer_feedback_answer_id_key UNIQUE (answer_id)
);

CREATE INDEX answer_feedback_project ON svc.answer_feedback USING btree (project_id, id DESC);

CREATE INDEX answer_feedback_source ON svc.answer_feedback USING btree (data_source_id);

CREATE INDEX answer_feedback_user ON svc.answer_feedback USING btree (user_id);

create table svc.answers (
  id integer not null generated,
  conversation_id integer not null,
  data_source_id integer,
  question text not null,
  is_run boolean not null,
  state text not null default 'Waiting'::text,
  stage text,
  basis text,
  golden_example_id integer,
  confidence text,
  sql text,
  detail jsonb not null default '{}'::jsonb,
  rows_sealed text,
  rows_until timestamp with time zone,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated boolean not null default false,
  duration_ms integer,
  prompt_version integer,
  job_id uuid,
  asked_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  cost_micros bigint,
  lease_until timestamp with time zone not null default (now() + '00:15:00'::interval),
  constraint answers_basis_check CHECK ((basis = ANY (ARRAY['Checked'::text, 'Model'::text]))),
  constraint answers_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['Waiting'::text, 'Working'::text])))),
  constraint answers_confidence_check CHECK ((confidence = ANY (ARRAY['High'::text, 'Medium'::text, 'Low'::text]))),
  constraint answers_cost_micros_check CHECK ((cost_micros >= 0)),
  constraint answers_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Working'::text, 'Answered'::text, 'NeedsClarification'::text, 'CannotAnswer'::text, 'Refused'::text, 'Failed'::text, 'Cancelled'::text]))),
  constraint answers_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES svc.conversations(id) ON DELETE CASCADE,
  constraint answers_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint answers_pkey PRIMARY KEY (id)
);

CREATE INDEX answers_conversation ON svc.answers USING btree (conversation_id, id);

CREATE INDEX answers_open ON svc.answers USING btree (asked_at) WHERE (finished_at IS NULL);

CREATE INDEX answers_rows ON svc.answers USING btree (rows_until) WHERE (rows_until IS NOT NULL);

CREATE INDEX answers_source ON svc.answers USING btree (data_source_id);

create table svc.api_key_uses (
  api_key_id integer not null,
  day date not null,
  operation text not null,
  use_count bigint not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_uses_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES svc.api_keys(id) ON DELETE CASCADE,
  constraint api_key_uses_pkey PRIMARY KEY (api_key_id, day, operation)
);

CREATE INDEX api_key_uses_day ON svc.api_key_uses USING btree (day);

create table svc.api_keys (
  id integer not null generated,
  name text not null,
  key_hash bytea not null,
  prefix text not null,
  owner_user_id integer,
  scopes text[] not null,
  allowed_project_ids integer[],
  owner_generation integer not null default 0,
  created_time timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by_user_id integer,
  replaced_by_key_id integer,
  expiry_noticed_days integer,
  constraint api_keys_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint api_keys_replaced_by_key_id_fkey FOREIGN KEY (replaced_by_key_id) REFERENCES svc.api_keys(id),
  constraint api_keys_revoked_by_user_id_fkey FOREIGN KEY (revoked_by_user_id) REFERENCES svc.users(id),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash)
);

CREATE INDEX api_keys_expiry ON svc.api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));

CREATE INDEX api_keys_owner ON svc.api_keys USING btree (owner_user_id);

create table svc.approval_requests (
  id integer not null generated,
  kind text not null,
  recipient_id integer,
  status text not null default 'Pending'::text,
  is_new boolean not null,
  changed_parts text[] not null,
  proposed_hash text not null,
  review jsonb,
  requested_by_user_id integer,
  requested_by_host_user text,
  created_time timestamp with time zone not null default now(),
  submitted_at timestamp with time zone not null default now(),
  decided_by_user_id integer,
  decided_by_host_user text,
  decided_at timestamp with time zone,
  comment text,
  query_id integer,
  query_version_id integer,
  ai_plan_id integer,
  constraint approval_requests_check CHECK (((kind = 'Recipient'::text) = (recipient_id IS NOT NULL))),
  constraint approval_requests_check1 CHECK (((status = 'Pending'::text) = (decided_at IS NULL))),
  constraint approval_requests_kind_check CHECK ((kind = ANY (ARRAY['Recipient'::text, 'Query'::text, 'Plan'::text]))),
  constraint approval_requests_of_plan CHECK (((kind = 'Plan'::text) = (ai_plan_id IS NOT NULL))),
  constraint approval_requests_of_query CHECK ((((kind = 'Query'::text) = (query_id IS NOT NULL)) AND ((query_id IS NULL) = (query_version_id IS NULL)))),
  constraint approval_requests_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Approved'::text, 'Rejected'::text, 'Withdrawn'::text]))),
  constraint approval_requests_ai_plan_id_fkey FOREIGN KEY (ai_plan_id) REFERENCES svc.ai_plans(id),
  constraint approval_requests_decided_by_user_id_fkey FOREIGN KEY (decided_by_user_id) REFERENCES svc.users(id),
  constraint approval_requests_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint approval_requests_query_version_id_fkey FOREIGN KEY (query_version_id) REFERENCES svc.query_versions(id),
  constraint approval_requests_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES svc.recipients(id),
  constraint approval_requests_requested_by_user_id_fkey FOREIGN KEY (requested_by_user_id) REFERENCES svc.users(id),
  constraint approval_requests_pkey PRIMARY KEY (id),
  constraint approval_requests_ai_plan_id_key UNIQUE (ai_plan_id),
  constraint approval_requests_query_version_id_key UNIQUE (query_version_id)
);

CREATE UNIQUE INDEX approval_requests_pending ON svc.approval_requests USING btree (recipient_id) WHERE (status = 'Pending'::text);

CREATE UNIQUE INDEX approval_requests_pending_query ON svc.approval_requests USING btree (query_id) WHERE (status = 'Pending'::text);

CREATE INDEX approval_requests_query ON svc.approval_requests USING btree (query_id);

CREATE INDEX approval_requests_recipient ON svc.approval_requests USING btree (recipient_id);

CREATE INDEX approval_requests_time ON svc.approval_requests USING btree (created_time DESC, id DESC);

create table svc.audit_events (
  id bigint not null default nextval('svc.audit_event_ids'::regclass),
  event text not null,
  occurred_at timestamp with time zone not null default now(),
  actor_kind text not null,
  actor_user_id integer,
  api_key_id integer,
  client_address text,
  subject_kind text,
  subject_id bigint,
  project_id integer,
  trace_id text,
  detail jsonb not null default '{}'::jsonb,
  constraint audit_events_pkey PRIMARY KEY (id, occurred_at)
) partition by range (occurred_at);

CREATE INDEX audit_events_actor ON ONLY svc.audit_events USING btree (actor_user_id, occurred_at DESC);

CREATE INDEX audit_events_event ON ONLY svc.audit_events USING btree (event, occurred_at DESC);

CREATE INDEX audit_events_time ON ONLY svc.audit_events USING btree (occurred_at DESC, id DESC);

create table svc.code_references (
  id bigint not null generated,
  repository_id integer not null,
  path text not null,
  line integer not null,
  table_name text not null,
  kind text not null,
  snippet text,
  constraint code_references_kind_check CHECK ((kind = ANY (ARRAY['RawSql'::text, 'Model'::text, 'Migration'::text, 'Other'::text]))),
  constraint code_references_line_check CHECK ((line >= 1)),
  constraint code_references_snippet_check CHECK ((length(snippet) <= 300)),
  constraint code_references_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES svc.repositories(id),
  constraint code_references_pkey PRIMARY KEY (id)
);

CREATE INDEX code_references_repository ON svc.code_references USING btree (repository_id, path, line);

CREATE INDEX code_references_table ON svc.code_references USING btree (repository_id, lower(table_name));

create table svc.contract_evaluations (
  id bigint not null generated,
  contract_id integer not null,
  created_time timestamp with time zone not null default now(),
  trigger text not null,
  status text not null default 'Queued'::text,
  reason text,
  score double precision,
  total_rows bigint,
  contract_version integer,
  started_by_user_id integer,
  job_id uuid,
  trace_id text,
  take integer not null default 0,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  change text,
  failed_because text,
  fail_score double precision,
  constraint contract_evaluations_change_check CHECK ((change = ANY (ARRAY['Failed'::text, 'Recovered'::text]))),
  constraint contract_evaluations_failed_because_check CHECK ((failed_because = ANY (ARRAY['RuleFailed'::text, 'CriticalRuleFailed'::text, 'ScoreTooLow'::text]))),
  constraint contract_evaluations_status_check CHECK ((status = ANY (ARRAY['Queued'::text, 'Running'::text, 'Passed'::text, 'Warned'::text, 'Failed'::text, 'Error'::text]))),
  constraint contract_evaluations_trigger_check CHECK ((trigger = ANY (ARRAY['Schedule'::text, 'Manual'::text]))),
  constraint contract_evaluations_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id),
  constraint contract_evaluations_started_by_user_id_fkey FOREIGN KEY (started_by_user_id) REFERENCES svc.users(id),
  constraint contract_evaluations_pkey PRIMARY KEY (id)
);

CREATE INDEX contract_evaluations_change ON svc.contract_evaluations USING btree (finished_at DESC) WHERE (change IS NOT NULL);

CREATE INDEX contract_evaluations_contract ON svc.contract_evaluations USING btree (contract_id, created_time DESC, id DESC);

CREATE INDEX contract_evaluations_created ON svc.contract_evaluations USING btree (created_time);

CREATE UNIQUE INDEX contract_evaluations_open ON svc.contract_evaluations USING btree (contract_id) WHERE (status = ANY (ARRAY['Queued'::text, 'Running'::text]));

CREATE UNIQUE INDEX contract_evaluations_tick ON svc.contract_evaluations USING btree (contract_id, created_time) WHERE (trigger = 'Schedule'::text);

create table svc.contract_recipients (
  contract_id integer not null,
  recipient_id integer not null,
  attached_by_user_id integer,
  attached_at timestamp with time zone not null default now(),
  constraint contract_recipients_attached_by_user_id_fkey FOREIGN KEY (attached_by_user_id) REFERENCES svc.users(id),
  constraint contract_recipients_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id),
  constraint contract_recipients_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES svc.recipients(id),
  constraint contract_recipients_pkey PRIMARY KEY (contract_id, recipient_id)
);

CREATE INDEX contract_recipients_recipient ON svc.contract_recipients USING btree (recipient_id);

create table svc.contract_rule_results (
  id bigint not null generated,
  evaluation_id bigint not null,
  rule_id integer not null,
  position integer not null,
  name text not null,
  type text not null,
  severity text not null,
  outcome text not null,
  score double precision,
  failing bigint,
  total bigint,
  message text,
  sample_sealed text,
  sample_reason text,
  constraint contract_rule_results_outcome_check CHECK ((outcome = ANY (ARRAY['Passed'::text, 'Warned'::text, 'Failed'::text, 'Error'::text]))),
  constraint contract_rule_results_evaluation_id_fkey FOREIGN KEY (evaluation_id) REFERENCES svc.contract_evaluations(id) ON DELETE CASCADE,
  constraint contract_rule_results_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES svc.contract_rules(id),
  constraint contract_rule_results_pkey PRIMARY KEY (id)
);

CREATE INDEX contract_rule_results_evaluation ON svc.contract_rule_results USING btree (evaluation_id, "position");

CREATE INDEX contract_rule_results_sample ON svc.contract_rule_results USING btree (evaluation_id) WHERE (sample_sealed IS NOT NULL);

create table svc.contract_rules (
  id integer not null generated,
  contract_id integer not null,
  position integer not null,
  name text not null,
  type text not null,
  columns text[] not null,
  config jsonb not null,
  severity text not null,
  weight double precision not null,
  unit text not null,
  warn_above double precision,
  fail_above double precision not null,
  is_enabled boolean not null,
  archived_at timestamp with time zone,
  constraint contract_rules_fail_above_check CHECK ((fail_above >= (0)::double precision)),
  constraint contract_rules_severity_check CHECK ((severity = ANY (ARRAY['Critical'::text, 'High'::text, 'Medium'::text, 'Low'::text]))),
  constraint contract_rules_thresholds CHECK ((warn_above <= fail_above)),
  constraint contract_rules_type_check CHECK ((type = ANY (ARRAY['Freshness'::text, 'Volume'::text, 'NullRate'::text, 'Range'::text, 'Pattern'::text, 'AcceptedValues'::text, 'Referential'::text, 'Uniqueness'::text, 'Schema'::text, 'CustomSql'::text]))),
  constraint contract_rules_unit_check CHECK ((unit = ANY (ARRAY['Rows'::text, 'Percent'::text]))),
  constraint contract_rules_warn_above_check CHECK ((warn_above >= (0)::double precision)),
  constraint contract_rules_weight_check CHECK (((weight >= (0.1)::double precision) AND (weight <= (10)::double precision))),
  constraint contract_rules_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id),
  constraint contract_rules_pkey PRIMARY KEY (id)
);

CREATE INDEX contract_rules_contract ON svc.contract_rules USING btree (contract_id, "position") WHERE (archived_at IS NULL);

create table svc.conversations (
  id integer not null generated,
  project_id integer not null,
  owner_key text not null,
  created_time timestamp with time zone not null default now(),
  constraint conversations_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint conversations_pkey PRIMARY KEY (id)
);

CREATE INDEX conversations_owner ON svc.conversations USING btree (owner_key, id DESC);

CREATE INDEX conversations_project ON svc.conversations USING btree (project_id);

create table svc.data_contracts (
  id integer not null generated,
  project_id integer not null,
  data_source_id integer not null,
  schema_name text not null,
  table_name text not null,
  name text not null,
  description text,
  cron_expression text,
  time_zone text,
  is_enabled boolean not null,
  warn_score double precision not null,
  fail_score double precision not null,
  alert_mode text not null,
  alerts_on_warning boolean not null,
  keeps_samples boolean not null,
  snoozed_until timestamp with time zone,
  snooze_reason text,
  owner_user_id integer,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  is_demo boolean not null default false,
  alert jsonb,
  quiet_hours jsonb,
  create_tasks boolean not null default false,
  sla_hours integer,
  watch_due_at timestamp with time zone,
  odcs jsonb,
  schedule_changed_at timestamp with time zone,
  fails_on text not null default 'AnyRule'::text,
  constraint data_contracts_alert CHECK (((alert_mode = ANY (ARRAY['EveryFailure'::text, 'OnChange'::text])) AND ((alert_mode = 'OnChange'::text) = (alert IS NOT NULL)))),
  constraint data_contracts_fail_score_check CHECK (((fail_score >= (0)::double precision) AND (fail_score <= (100)::double precision))),
  constraint data_contracts_fails_on_check CHECK ((fails_on = ANY (ARRAY['AnyRule'::text, 'Score'::text]))),
  constraint data_contracts_schedule CHECK (((cron_expression IS NULL) OR (time_zone IS NOT NULL))),
  constraint data_contracts_scores CHECK ((fail_score <= warn_score)),
  constraint data_contracts_sla_hours_check CHECK (((sla_hours >= 1) AND (sla_hours <= 720))),
  constraint data_contracts_warn_score_check CHECK (((warn_score >= (0)::double precision) AND (warn_score <= (100)::double precision))),
  constraint data_contracts_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint data_contracts_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint data_contracts_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint data_contracts_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint data_contracts_pkey PRIMARY KEY (id)
);

CREATE INDEX data_contracts_name ON svc.data_contracts USING btree (lower(name) COLLATE "C", id) WHERE (archived_at IS NULL);

CREATE INDEX data_contracts_project ON svc.data_contracts USING btree (project_id) WHERE (archived_at IS NULL);

CREATE INDEX data_contracts_source ON svc.data_contracts USING btree (data_source_id) WHERE (archived_at IS NULL);

CREATE INDEX data_contracts_watched ON svc.data_contracts USING btree (watch_due_at NULLS FIRST, id) WHERE ((archived_at IS NULL) AND is_enabled AND (cron_expression IS NOT NULL));

create table svc.data_source_metadata (
  data_source_id integer not null,
  snapshot jsonb not null,
  refreshed_at timestamp with time zone not null,
  constraint data_source_metadata_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint data_source_metadata_pkey PRIMARY KEY (data_source_id)
);

create table svc.data_sources (
  id integer not null generated,
  name text not null,
  description text,
  engine text not null,
  connection_shown jsonb not null,
  connection_sealed text not null,
  metadata_options jsonb not null default '{}'::jsonb,
  metadata_refresh_asked_at timestamp with time zone,
  is_demo boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  privileged_login text,
  are_migration_writes_allowed boolean not null default false,
  constraint data_sources_privileged_login_check CHECK ((privileged_login = ANY (ARRAY['Unasked'::text, 'Tolerated'::text]))),
  constraint data_sources_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint data_sources_pkey PRIMARY KEY (id)
);

CREATE INDEX data_sources_name ON svc.data_sources USING btree (lower(name) COLLATE "C", id) WHERE (archived_at IS NULL);

create table svc.definition_plans (
  id uuid not null,
  caller text not null,
  plan_sealed text not null,
  created_at timestamp with time zone not null default now(),
  applied_at timestamp with time zone,
  constraint definition_plans_pkey PRIMARY KEY (id)
);

CREATE INDEX definition_plans_created ON svc.definition_plans USING btree (created_at);

create table svc.definition_slugs (
  kind text not null,
  record_id integer not null,
  project_id integer,
  slug text not null,
  constraint definition_slugs_kind_check CHECK ((kind = ANY (ARRAY['Settings'::text, 'McpSettings'::text, 'DataSource'::text, 'Recipient'::text, 'MigrationJob'::text, 'Project'::text, 'McpProjectSettings'::text, 'Query'::text, 'Contract'::text, 'Subscription'::text]))),
  constraint definition_slugs_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$'::text)),
  constraint definition_slugs_pkey PRIMARY KEY (kind, record_id),
  constraint definition_slugs_slug UNIQUE NULLS NOT DISTINCT (kind, project_id, slug)
);

create table svc.deliveries (
  id bigint not null default nextval('svc.delivery_ids'::regclass),
  run_id bigint not null,
  run_due_at timestamp with time zone not null,
  message_no integer not null default 0,
  recipient_id integer not null,
  attempt integer not null default 1,
  state text not null,
  reason text,
  http_class text,
  bytes_sent integer,
  message_id text not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  duration_ms double precision,
  origin text not null default 'Run'::text,
  ordered_by_user_id integer,
  due_at timestamp with time zone,
  job_id uuid,
  notes text[] not null default '{}'::text[],
  remote_id text,
  retry_after_seconds integer,
  constraint deliveries_message_no_check CHECK ((message_no >= 0)),
  constraint deliveries_origin_check1 CHECK ((origin = ANY (ARRAY['Run'::text, 'Resend'::text, 'Retry'::text]))),
  constraint deliveries_retry_after_seconds_check1 CHECK (((retry_after_seconds >= 0) AND (retry_after_seconds <= 86400))),
  constraint deliveries_state_check1 CHECK ((state = ANY (ARRAY['Queued'::text, 'Sending'::text, 'Sent'::text, 'Failed'::text, 'Unknown'::text, 'Skipped'::text]))),
  constraint deliveries_ordered_by_user_id_fkey1 FOREIGN KEY (ordered_by_user_id) REFERENCES svc.users(id),
  constraint deliveries_recipient_id_fkey1 FOREIGN KEY (recipient_id) REFERENCES svc.recipients(id),
  constraint deliveries_pkey PRIMARY KEY (id, run_due_at)
) partition by range (run_due_at);

CREATE UNIQUE INDEX deliveries_attempt ON ONLY svc.deliveries USING btree (run_id, run_due_at, message_no, recipient_id, attempt);

CREATE INDEX deliveries_open ON ONLY svc.deliveries USING btree (id) WHERE (state = ANY (ARRAY['Queued'::text, 'Sending'::text]));

CREATE INDEX deliveries_recipient ON ONLY svc.deliveries USING btree (recipient_id, started_at DESC);

CREATE INDEX deliveries_undone ON ONLY svc.deliveries USING btree (started_at DESC, id DESC) WHERE (state = ANY (ARRAY['Failed'::text, 'Unknown'::text, 'Skipped'::text]));

create table svc.document_readings (
  project_id integer not null,
  source text not null,
  last_started bigint not null,
  last_stored bigint not null default 0,
  constraint document_readings_check CHECK (((last_stored >= 0) AND (last_stored <= last_started))),
  constraint document_readings_source_check CHECK (((length(source) >= 1) AND (length(source) <= 200))),
  constraint document_readings_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint document_readings_pkey PRIMARY KEY (project_id, source)
);

create table svc.documentation_generations (
  id integer not null generated,
  project_id integer not null,
  state text not null default 'Waiting'::text,
  is_model_asked boolean not null,
  job_id text,
  started_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  tables_to_describe integer not null default 0,
  tables_described integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  is_estimated boolean not null default false,
  cost_micros bigint,
  model text,
  failure text,
  constraint documentation_generations_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['Waiting'::text, 'Running'::text])))),
  constraint documentation_generations_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Running'::text, 'Completed'::text, 'Failed'::text, 'Cancelled'::text]))),
  constraint documentation_generations_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint documentation_generations_started_by_user_id_fkey FOREIGN KEY (started_by_user_id) REFERENCES svc.users(id),
  constraint documentation_generations_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX documentation_generations_open ON svc.documentation_generations USING btree (project_id) WHERE (finished_at IS NULL);

CREATE INDEX documentation_generations_project ON svc.documentation_generations USING btree (project_id, id DESC);

create table svc.documentation_patches (
  id integer not null generated,
  project_id integer not null,
  pattern_id integer not null,
  section_kind text not null default 'Notes'::text,
  content text not null,
  state text not null default 'Proposed'::text,
  decided_by_user_id integer,
  decided_at timestamp with time zone,
  created_time timestamp with time zone not null default now(),
  constraint documentation_patches_state_check CHECK ((state = ANY (ARRAY['Proposed'::text, 'Applied'::text, 'Rejected'::text, 'Superseded'::text]))),
  constraint documentation_patches_decided_by_user_id_fkey FOREIGN KEY (decided_by_user_id) REFERENCES svc.users(id),
  constraint documentation_patches_pattern_id_fkey FOREIGN KEY (pattern_id) REFERENCES svc.learned_patterns(id) ON DELETE CASCADE,
  constraint documentation_patches_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id) ON DELETE CASCADE,
  constraint documentation_patches_pkey PRIMARY KEY (id),
  constraint documentation_patches_pattern_id_key UNIQUE (pattern_id)
);

CREATE INDEX documentation_patches_project ON svc.documentation_patches USING btree (project_id, state);

create table svc.documentation_sections (
  id integer not null generated,
  project_id integer not null,
  kind text not null,
  content text not null,
  provenance text not null,
  proposed_content text,
  generated_at timestamp with time zone,
  edited_by_user_id integer,
  edited_at timestamp with time zone,
  version integer not null default 1,
  proposed_provenance text,
  constraint documentation_sections_check CHECK (((provenance = 'Person'::text) = (edited_at IS NOT NULL))),
  constraint documentation_sections_check1 CHECK (((proposed_content IS NULL) OR (provenance = 'Person'::text))),
  constraint documentation_sections_check2 CHECK (((proposed_content IS NULL) = (proposed_provenance IS NULL))),
  constraint documentation_sections_kind_check CHECK ((kind = ANY (ARRAY['DataModel'::text, 'DataFlows'::text, 'CodeLineage'::text, 'DataQuality'::text, 'Notes'::text]))),
  constraint documentation_sections_proposed_provenance_check CHECK ((proposed_provenance = ANY (ARRAY['Facts'::text, 'Model'::text]))),
  constraint documentation_sections_provenance_check CHECK ((provenance = ANY (ARRAY['Facts'::text, 'Model'::text, 'Person'::text]))),
  constraint documentation_sections_edited_by_user_id_fkey FOREIGN KEY (edited_by_user_id) REFERENCES svc.users(id),
  constraint documentation_sections_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint documentation_sections_pkey PRIMARY KEY (id),
  constraint documentation_sections_project_id_kind_key UNIQUE (project_id, kind)
);

create table svc.documentation_table_notes (
  project_id integer not null,
  data_source_id integer not null,
  schema_name text not null,
  table_name text not null,
  told_hash text not null,
  purpose text not null,
  model text not null,
  created_time timestamp with time zone not null default now(),
  constraint documentation_table_notes_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint documentation_table_notes_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint documentation_table_notes_pkey PRIMARY KEY (project_id, data_source_id, schema_name, table_name)
);

CREATE INDEX documentation_table_notes_source ON svc.documentation_table_notes USING btree (data_source_id);

create table svc.documentation_version_sections (
  version_id integer not null,
  kind text not null,
  content text not null,
  provenance text not null,
  added_lines integer not null,
  removed_lines integer not null,
  constraint documentation_version_sections_added_lines_check CHECK ((added_lines >= 0)),
  constraint documentation_version_sections_provenance_check CHECK ((provenance = ANY (ARRAY['Facts'::text, 'Model'::text, 'Person'::text]))),
  constraint documentation_version_sections_removed_lines_check CHECK ((removed_lines >= 0)),
  constraint documentation_version_sections_version_id_fkey FOREIGN KEY (version_id) REFERENCES svc.documentation_versions(id) ON DELETE CASCADE,
  constraint documentation_version_sections_pkey PRIMARY KEY (version_id, kind)
);

create table svc.documentation_versions (
  id integer not null generated,
  project_id integer not null,
  number integer not null,
  cause text not null,
  made_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  constraint documentation_versions_cause_check CHECK ((cause = ANY (ARRAY['Generated'::text, 'Written'::text, 'Taken'::text, 'Patched'::text, 'Earlier'::text]))),
  constraint documentation_versions_number_check CHECK ((number >= 1)),
  constraint documentation_versions_made_by_user_id_fkey FOREIGN KEY (made_by_user_id) REFERENCES svc.users(id),
  constraint documentation_versions_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint documentation_versions_pkey PRIMARY KEY (id),
  constraint documentation_versions_project_id_number_key UNIQUE (project_id, number)
);

create table svc.encryption_key_checks (
  key_id text not null,
  check_value text not null,
  created_time timestamp with time zone not null default now(),
  constraint encryption_key_checks_pkey PRIMARY KEY (key_id)
);

create table svc.eval_results (
  id integer not null generated,
  run_id integer not null,
  golden_id integer not null,
  repeat_no integer not null,
  question text not null,
  expected text not null,
  gold_sql text,
  sql text,
  verdict text not null,
  detail text,
  repairs integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  duration_ms integer not null,
  constraint eval_results_verdict_check CHECK ((verdict = ANY (ARRAY['Passed'::text, 'WrongRows'::text, 'WrongTables'::text, 'NotRun'::text, 'Abstained'::text, 'AnsweredUnanswerable'::text, 'Harness'::text]))),
  constraint eval_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES svc.eval_runs(id) ON DELETE CASCADE,
  constraint eval_results_pkey PRIMARY KEY (id),
  constraint eval_results_run_id_golden_id_repeat_no_key UNIQUE (run_id, golden_id, repeat_no)
);

create table svc.eval_runs (
  id integer not null generated,
  project_id integer,
  golden_ids integer[] not null,
  repeats integer not null,
  max_tokens bigint,
  state text not null default 'Waiting'::text,
  failure text,
  model text,
  job_id uuid,
  started_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  min_accuracy double precision,
  slot_at timestamp with time zone,
  constraint eval_runs_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['Waiting'::text, 'Running'::text])))),
  constraint eval_runs_repeats_check CHECK (((repeats >= 1) AND (repeats <= 5))),
  constraint eval_runs_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Running'::text, 'Completed'::text, 'Stopped'::text, 'Cancelled'::text, 'Failed'::text]))),
  constraint eval_runs_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint eval_runs_started_by_user_id_fkey FOREIGN KEY (started_by_user_id) REFERENCES svc.users(id),
  constraint eval_runs_pkey PRIMARY KEY (id)
);

CREATE INDEX eval_runs_project ON svc.eval_runs USING btree (project_id);

CREATE UNIQUE INDEX eval_runs_slot ON svc.eval_runs USING btree (project_id, slot_at) WHERE (slot_at IS NOT NULL);

create table svc.eval_schedules (
  project_id integer not null,
  cron text not null,
  time_zone text not null,
  min_accuracy double precision not null,
  repeats integer not null,
  max_tokens bigint,
  is_paused boolean not null default false,
  pause_reason text,
  owner_user_id integer,
  is_below boolean not null default false,
  last_skipped_at timestamp with time zone,
  last_skip_reason text,
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint eval_schedules_last_skip_reason_check CHECK ((last_skip_reason = ANY (ARRAY['NoExamples'::text, 'NotConfigured'::text, 'BudgetSpent'::text, 'StillRunning'::text]))),
  constraint eval_schedules_min_accuracy_check CHECK (((min_accuracy >= (0)::double precision) AND (min_accuracy <= (1)::double precision))),
  constraint eval_schedules_pause_reason_check CHECK ((pause_reason = 'OwnerGone'::text)),
  constraint eval_schedules_repeats_check CHECK (((repeats >= 1) AND (repeats <= 5))),
  constraint eval_schedules_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint eval_schedules_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint eval_schedules_pkey PRIMARY KEY (project_id)
);

create table svc.events (
  id bigint not null generated,
  txid xid8 not null default pg_current_xact_id(),
  topic text not null,
  payload jsonb not null,
  created_time timestamp with time zone not null default clock_timestamp(),
  constraint events_pkey PRIMARY KEY (id)
);

CREATE INDEX events_created ON svc.events USING btree (created_time);

CREATE INDEX events_txid ON svc.events USING btree (txid);

create table svc.glossary_terms (
  id integer not null generated,
  project_id integer not null,
  data_source_id integer,
  term text not null,
  synonyms text[] not null default '{}'::text[],
  definition text not null,
  target_schema text,
  target_table text,
  target_column text,
  is_active boolean not null default true,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  metric_expression text,
  broken_reason text,
  checked_at timestamp with time zone,
  constraint glossary_terms_check CHECK (((target_schema IS NULL) = (target_table IS NULL))),
  constraint glossary_terms_check1 CHECK (((target_column IS NULL) OR (target_table IS NOT NULL))),
  constraint glossary_terms_check2 CHECK (((target_table IS NULL) OR (data_source_id IS NOT NULL))),
  constraint glossary_terms_check3 CHECK (((metric_expression IS NULL) OR (target_table IS NOT NULL))),
  constraint glossary_terms_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint glossary_terms_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint glossary_terms_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint glossary_terms_pkey PRIMARY KEY (id)
);

CREATE INDEX glossary_terms_source ON svc.glossary_terms USING btree (data_source_id) WHERE (data_source_id IS NOT NULL);

CREATE UNIQUE INDEX glossary_terms_term ON svc.glossary_terms USING btree (project_id, lower(term));

create table svc.golden_candidates (
  id integer not null generated,
  feedback_id integer not null,
  state text not null default 'Proposed'::text,
  golden_example_id integer,
  decided_by_user_id integer,
  decided_at timestamp with time zone,
  proposed_at timestamp with time zone not null default now(),
  constraint golden_candidates_check CHECK (((state = 'Proposed'::text) = (decided_at IS NULL))),
  constraint golden_candidates_state_check CHECK ((state = ANY (ARRAY['Proposed'::text, 'Promoted'::text, 'Dismissed'::text]))),
  constraint golden_candidates_decided_by_user_id_fkey FOREIGN KEY (decided_by_user_id) REFERENCES svc.users(id),
  constraint golden_candidates_feedback_id_fkey FOREIGN KEY (feedback_id) REFERENCES svc.answer_feedback(id) ON DELETE CASCADE,
  constraint golden_candidates_golden_example_id_fkey FOREIGN KEY (golden_example_id) REFERENCES svc.golden_examples(id) ON DELETE SET NULL,
  constraint golden_candidates_pkey PRIMARY KEY (id),
  constraint golden_candidates_feedback_id_key UNIQUE (feedback_id)
);

CREATE INDEX golden_candidates_example ON svc.golden_candidates USING btree (golden_example_id);

CREATE INDEX golden_candidates_open ON svc.golden_candidates USING btree (id) WHERE (state = 'Proposed'::text);

create table svc.golden_examples (
  id integer not null generated,
  project_id integer not null,
  data_source_id integer not null,
  question text not null,
  question_key text not null,
  expected text not null,
  sql text,
  notes text,
  is_active boolean not null default true,
  broken_reason text,
  checked_at timestamp with time zone,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint golden_examples_check CHECK (((sql IS NULL) = (expected = 'NoAnswer'::text))),
  constraint golden_examples_expected_check CHECK ((expected = ANY (ARRAY['Rows'::text, 'NoAnswer'::text]))),
  constraint golden_examples_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint golden_examples_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint golden_examples_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint golden_examples_pkey PRIMARY KEY (id)
);

CREATE INDEX golden_examples_checked ON svc.golden_examples USING btree (checked_at NULLS FIRST, id);

CREATE UNIQUE INDEX golden_examples_question ON svc.golden_examples USING btree (project_id, data_source_id, question_key);

CREATE INDEX golden_examples_source ON svc.golden_examples USING btree (data_source_id);

create table svc.idempotent_requests (
  id uuid not null,
  caller text not null,
  key_hash bytea not null,
  request_sealed text not null,
  answer_sealed text,
  is_lost boolean not null default false,
  begun_at timestamp with time zone not null default now(),
  constraint idempotent_requests_pkey PRIMARY KEY (id),
  constraint idempotent_requests_caller_key_hash_key UNIQUE (caller, key_hash)
);

CREATE INDEX idempotent_requests_begun ON svc.idempotent_requests USING btree (begun_at);

create table svc.imported_documents (
  id integer not null generated,
  project_id integer not null,
  source text not null,
  path text not null,
  title text not null,
  content text not null,
  content_hash bytea not null,
  byte_length integer not null,
  imported_at timestamp with time zone not null default now(),
  archived_at timestamp with time zone,
  is_uploaded boolean not null default false,
  uploaded_by_user_id integer,
  constraint imported_documents_path_check CHECK (((length(path) >= 1) AND (length(path) <= 400))),
  constraint imported_documents_source_check CHECK (((length(source) >= 1) AND (length(source) <= 200))),
  constraint imported_documents_title_check CHECK (((length(title) >= 1) AND (length(title) <= 400))),
  constraint imported_documents_uploader CHECK ((is_uploaded OR (uploaded_by_user_id IS NULL))),
  constraint imported_documents_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint imported_documents_uploaded_by_user_id_fkey FOREIGN KEY (uploaded_by_user_id) REFERENCES svc.users(id),
  constraint imported_documents_pkey PRIMARY KEY (id),
  constraint imported_documents_place UNIQUE (project_id, is_uploaded, source, path)
);

CREATE INDEX imported_documents_live ON svc.imported_documents USING btree (project_id, lower(title)) WHERE (archived_at IS NULL);

create table svc.learned_patterns (
  id integer not null generated,
  project_id integer not null,
  data_source_id integer not null,
  kind text not null,
  identity text not null,
  table_name text not null,
  column_name text,
  content jsonb not null,
  signal_count integer not null,
  caller_count integer not null,
  state text not null default 'Proposed'::text,
  decided_by_user_id integer,
  decided_at timestamp with time zone,
  replay jsonb,
  created_time timestamp with time zone not null default now(),
  refreshed_at timestamp with time zone not null default now(),
  constraint learned_patterns_kind_check CHECK ((kind = ANY (ARRAY['SchemaCorrection'::text, 'JoinPattern'::text, 'CommonQuery'::text, 'DocumentationGap'::text, 'BusinessTerm'::text]))),
  constraint learned_patterns_state_check CHECK ((state = ANY (ARRAY['Proposed'::text, 'Approved'::text, 'Rejected'::text, 'Superseded'::text]))),
  constraint learned_patterns_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id) ON DELETE CASCADE,
  constraint learned_patterns_decided_by_user_id_fkey FOREIGN KEY (decided_by_user_id) REFERENCES svc.users(id),
  constraint learned_patterns_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id) ON DELETE CASCADE,
  constraint learned_patterns_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX learned_patterns_identity ON svc.learned_patterns USING btree (project_id, data_source_id, kind, identity);

CREATE INDEX learned_patterns_source ON svc.learned_patterns USING btree (data_source_id);

create table svc.learning_signals (
  id bigint not null generated,
  project_id integer not null,
  data_source_id integer not null,
  caller_hash text not null,
  tool text not null,
  outcome text not null,
  answer_id integer,
  tables text[] not null default '{}'::text[],
  columns jsonb not null default '[]'::jsonb,
  joins jsonb not null default '[]'::jsonb,
  unknown_names text[] not null default '{}'::text[],
  shape text,
  created_time timestamp with time zone not null default now(),
  constraint learning_signals_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id) ON DELETE CASCADE,
  constraint learning_signals_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id) ON DELETE CASCADE,
  constraint learning_signals_pkey PRIMARY KEY (id)
);

CREATE INDEX learning_signals_project ON svc.learning_signals USING btree (project_id, data_source_id, created_time);

CREATE INDEX learning_signals_source ON svc.learning_signals USING btree (data_source_id);

CREATE INDEX learning_signals_time ON svc.learning_signals USING btree (created_time);

create table svc.llm_budgets (
  scope text not null,
  subject_id integer not null,
  starts_on date not null,
  spent bigint not null default 0,
  reserved bigint not null default 0,
  spent_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  missed_at timestamp with time zone,
  told_percent integer not null default 0,
  constraint llm_budgets_reserved_check CHECK ((reserved >= 0)),
  constraint llm_budgets_reserved_micros_check CHECK ((reserved_micros >= 0)),
  constraint llm_budgets_scope_check CHECK ((scope = ANY (ARRAY['ServiceMonth'::text, 'UserDay'::text, 'ActorMonth'::text, 'EvalRun'::text]))),
  constraint llm_budgets_spent_check CHECK ((spent >= 0)),
  constraint llm_budgets_spent_micros_check CHECK ((spent_micros >= 0)),
  constraint llm_budgets_told_percent_check CHECK ((told_percent = ANY (ARRAY[0, 80, 100]))),
  constraint llm_budgets_pkey PRIMARY KEY (scope, subject_id, starts_on)
);

create table svc.llm_calls (
  id bigint not null generated,
  purpose text not null,
  model text not null,
  user_id integer,
  project_id integer,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  bound bigint not null,
  finished_at timestamp with time zone,
  is_lost boolean not null default false,
  input_tokens bigint,
  output_tokens bigint,
  is_estimated boolean not null default false,
  outcome text,
  ai_actor_id integer,
  bound_micros bigint not null default 0,
  cost_micros bigint,
  input_price numeric,
  output_price numeric,
  prompt_hash text,
  eval_run_id integer,
  constraint llm_calls_bound_check CHECK ((bound > 0)),
  constraint llm_calls_bound_micros_check CHECK ((bound_micros >= 0)),
  constraint llm_calls_check CHECK ((((finished_at IS NULL) = (input_tokens IS NULL)) AND ((finished_at IS NULL) = (output_tokens IS NULL)))),
  constraint llm_calls_check1 CHECK (((input_price IS NULL) = (output_price IS NULL))),
  constraint llm_calls_cost_micros_check CHECK ((cost_micros >= 0)),
  constraint llm_calls_prompt_hash_check CHECK ((prompt_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint llm_calls_ai_actor_id_fkey FOREIGN KEY (ai_actor_id) REFERENCES svc.ai_actors(id),
  constraint llm_calls_eval_run_id_fkey FOREIGN KEY (eval_run_id) REFERENCES svc.eval_runs(id) ON DELETE SET NULL,
  constraint llm_calls_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint llm_calls_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint llm_calls_pkey PRIMARY KEY (id)
);

CREATE INDEX llm_calls_ai_actor ON svc.llm_calls USING btree (ai_actor_id) WHERE (ai_actor_id IS NOT NULL);

CREATE INDEX llm_calls_eval_run ON svc.llm_calls USING btree (eval_run_id) WHERE (eval_run_id IS NOT NULL);

CREATE INDEX llm_calls_open ON svc.llm_calls USING btree (lease_until) WHERE (finished_at IS NULL);

CREATE INDEX llm_calls_project ON svc.llm_calls USING btree (project_id) WHERE (project_id IS NOT NULL);

CREATE INDEX llm_calls_started ON svc.llm_calls USING btree (started_at);

CREATE INDEX llm_calls_user ON svc.llm_calls USING btree (user_id, id DESC);

create table svc.llm_contents (
  call_id bigint not null,
  content_sealed text not null,
  kept_at timestamp with time zone not null default now(),
  constraint llm_contents_call_id_fkey FOREIGN KEY (call_id) REFERENCES svc.llm_calls(id) ON DELETE CASCADE,
  constraint llm_contents_pkey PRIMARY KEY (call_id)
);

CREATE INDEX llm_contents_kept ON svc.llm_contents USING btree (kept_at);

create table svc.llm_gate (
  only_row boolean not null default true,
  constraint llm_gate_only_row_check CHECK (only_row),
  constraint llm_gate_pkey PRIMARY KEY (only_row)
);

create table svc.managed_objects (
  kind text not null,
  record_id integer not null,
  manager text not null,
  applied jsonb not null,
  secrets jsonb not null default '{}'::jsonb,
  applied_at timestamp with time zone not null default now(),
  is_managed boolean not null default false,
  constraint managed_objects_kind_record_id_fkey FOREIGN KEY (kind, record_id) REFERENCES svc.definition_slugs(kind, record_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint managed_objects_pkey PRIMARY KEY (kind, record_id)
);

CREATE INDEX managed_objects_manager ON svc.managed_objects USING btree (manager);

create table svc.mcp_settings (
  id integer not null generated,
  project_id integer,
  values jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  updated_by_user_id integer,
  constraint mcp_settings_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint mcp_settings_updated_by_user_id_fkey FOREIGN KEY (updated_by_user_id) REFERENCES svc.users(id),
  constraint mcp_settings_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX mcp_settings_project ON svc.mcp_settings USING btree (COALESCE(project_id, 0));

create table svc.mcp_settings_changes (
  id bigint not null generated,
  project_id integer,
  changed_at timestamp with time zone not null default now(),
  changed_by_user_id integer,
  before jsonb not null,
  after jsonb not null,
  constraint mcp_settings_changes_changed_by_user_id_fkey FOREIGN KEY (changed_by_user_id) REFERENCES svc.users(id),
  constraint mcp_settings_changes_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint mcp_settings_changes_pkey PRIMARY KEY (id)
);

CREATE INDEX mcp_settings_changes_project ON svc.mcp_settings_changes USING btree (project_id, id DESC);

create table svc.migration_executions (
  id bigint not null default nextval('svc.migration_execution_ids'::regclass),
  created_time timestamp with time zone not null default now(),
  migration_job_id integer not null,
  status text not null default 'Queued'::text,
  stage text,
  reason text,
  message text,
  trigger text not null,
  is_trial boolean not null default false,
  attempt integer not null default 1,
  retry_of bigint,
  definition jsonb not null,
  destination_data_source_id integer not null,
  started_by_user_id integer,
  job_id uuid,
  trace_id text,
  take integer not null default 0,
  staging_id uuid not null default gen_random_uuid(),
  has_staging boolean not null default false,
  cancel_asked_at timestamp with time zone,
  rows_read bigint not null default 0,
  bytes_read bigint not null default 0,
  estimated_rows bigint,
  rows_inserted bigint not null default 0,
  rows_updated bigint not null default 0,
  rows_unchanged bigint not null default 0,
  rows_deleted bigint not null default 0,
  rows_rejected bigint not null default 0,
  unmasked_columns text[] not null default '{}'::text[],
  watermark text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint migration_executions_stage_check CHECK ((stage = ANY (ARRAY['Validating'::text, 'Copying'::text, 'Applying'::text, 'Committing'::text]))),
  constraint migration_executions_status_check CHECK ((status = ANY (ARRAY['Queued'::text, 'Running'::text, 'Completed'::text, 'PartialSuccess'::text, 'Failed'::text, 'Cancelled'::text]))),
  constraint migration_executions_trigger_check CHECK ((trigger = ANY (ARRAY['Schedule'::text, 'Manual'::text, 'Retry'::text]))),
  constraint migration_executions_migration_job_id_fkey FOREIGN KEY (migration_job_id) REFERENCES svc.migration_jobs(id),
  constraint migration_executions_started_by_user_id_fkey FOREIGN KEY (started_by_user_id) REFERENCES svc.users(id),
  constraint migration_executions_pkey PRIMARY KEY (id, created_time)
) partition by range (created_time);

CREATE INDEX migration_executions_job ON ONLY svc.migration_executions USING btree (migration_job_id, created_time DESC, id DESC);

CREATE INDEX migration_executions_newest ON ONLY svc.migration_executions USING btree (created_time DESC, id DESC);

CREATE INDEX migration_executions_open ON ONLY svc.migration_executions USING btree (id) WHERE (status = ANY (ARRAY['Queued'::text, 'Running'::text]));

CREATE INDEX migration_executions_staging ON ONLY svc.migration_executions USING btree (id) WHERE has_staging;

CREATE UNIQUE INDEX migration_executions_tick ON ONLY svc.migration_executions USING btree (migration_job_id, created_time) WHERE (trigger = 'Schedule'::text);

create table svc.migration_jobs (
  id integer not null generated,
  name text not null,
  description text,
  data_source_id integer not null,
  source jsonb not null,
  destination_data_source_id integer not null,
  destination_schema text not null,
  destination_table text not null,
  creates_table boolean not null,
  mode text not null,
  key_columns text[] not null,
  columns jsonb,
  incremental jsonb,
  personal_data text not null,
  on_rejected_row text not null,
  rejected_rows_max integer not null,
  minimum_source_rows bigint not null,
  deleted_share_max double precision not null,
  cron_expression text,
  time_zone text,
  is_enabled boolean not null default true,
  retries_max integer not null,
  timeout_minutes integer not null,
  owner_user_id integer,
  watermark text,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  watch_due_at timestamp with time zone,
  missed_first_due_at timestamp with time zone,
  missed_last_due_at timestamp with time zone,
  missed_count integer not null default 0,
  is_demo boolean not null default false,
  constraint migration_jobs_deleted_share_max_check CHECK (((deleted_share_max >= (0)::double precision) AND (deleted_share_max <= (1)::double precision))),
  constraint migration_jobs_minimum_source_rows_check CHECK ((minimum_source_rows >= 0)),
  constraint migration_jobs_mode_check CHECK ((mode = ANY (ARRAY['Insert'::text, 'Upsert'::text, 'Truncate'::text, 'Sync'::text]))),
  constraint migration_jobs_on_rejected_row_check CHECK ((on_rejected_row = ANY (ARRAY['Fail'::text, 'Skip'::text]))),
  constraint migration_jobs_personal_data_check CHECK ((personal_data = ANY (ARRAY['Refuse'::text, 'Mask'::text, 'Copy'::text]))),
  constraint migration_jobs_rejected_rows_max_check CHECK ((rejected_rows_max >= 0)),
  constraint migration_jobs_retries_max_check CHECK (((retries_max >= 0) AND (retries_max <= 10))),
  constraint migration_jobs_timeout_minutes_check CHECK (((timeout_minutes >= 1) AND (timeout_minutes <= 1440))),
  constraint migration_jobs_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint migration_jobs_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint migration_jobs_destination_data_source_id_fkey FOREIGN KEY (destination_data_source_id) REFERENCES svc.data_sources(id),
  constraint migration_jobs_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint migration_jobs_pkey PRIMARY KEY (id)
);

CREATE INDEX migration_jobs_destination ON svc.migration_jobs USING btree (destination_data_source_id) WHERE (archived_at IS NULL);

CREATE INDEX migration_jobs_name ON svc.migration_jobs USING btree (lower(name) COLLATE "C", id) WHERE (archived_at IS NULL);

CREATE INDEX migration_jobs_watched ON svc.migration_jobs USING btree (watch_due_at NULLS FIRST, id) WHERE ((archived_at IS NULL) AND is_enabled AND (cron_expression IS NOT NULL));

create table svc.migration_rejected_rows (
  execution_id bigint not null,
  execution_created_time timestamp with time zone not null,
  no integer not null,
  row_number bigint not null,
  key text,
  column_name text,
  code text not null,
  constraint migration_rejected_rows_pkey PRIMARY KEY (execution_id, execution_created_time, no)
) partition by range (execution_created_time);

create table svc.migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table svc.missed_runs (
  id bigint not null generated,
  subscription_id integer,
  first_due_at timestamp with time zone not null,
  last_due_at timestamp with time zone not null,
  missed_count integer not null,
  noticed_at timestamp with time zone not null default now(),
  contract_id integer,
  reason text not null default 'NotStarted'::text,
  constraint missed_runs_missed_count_check CHECK ((missed_count >= 0)),
  constraint missed_runs_reason_check CHECK ((reason = ANY (ARRAY['NotStarted'::text, 'PreviousRunning'::text]))),
  constraint missed_runs_subject CHECK ((num_nonnulls(subscription_id, contract_id) = 1)),
  constraint missed_runs_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id),
  constraint missed_runs_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id),
  constraint missed_runs_pkey PRIMARY KEY (id),
  constraint missed_runs_contract UNIQUE (contract_id, first_due_at),
  constraint missed_runs_subscription_id_first_due_at_key UNIQUE (subscription_id, first_due_at)
);

CREATE INDEX missed_runs_noticed ON svc.missed_runs USING btree (noticed_at DESC, id DESC);

create table svc.notices (
  id bigint not null generated,
  user_id integer not null,
  kind text not null,
  run_id bigint,
  facts jsonb not null default '{}'::jsonb,
  created_time timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  subject_kind text not null,
  subject_id integer,
  subject_name text not null,
  project_id integer,
  mailed_at timestamp with time zone,
  constraint notices_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['Subscription'::text, 'Query'::text, 'Contract'::text, 'Task'::text, 'MigrationJob'::text, 'AiActor'::text, 'EvaluationSchedule'::text, 'ApiKey'::text, 'Settings'::text]))),
  constraint notices_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint notices_pkey PRIMARY KEY (id)
);

CREATE INDEX notices_created ON svc.notices USING btree (created_time);

CREATE INDEX notices_mailed ON svc.notices USING btree (user_id, subject_id, mailed_at DESC) WHERE ((subject_kind = 'Task'::text) AND (mailed_at IS NOT NULL));

CREATE INDEX notices_subject ON svc.notices USING btree (subject_kind, subject_id, id DESC);

CREATE INDEX notices_unmailed ON svc.notices USING btree (user_id, subject_id, id) WHERE ((subject_kind = 'Task'::text) AND (mailed_at IS NULL));

CREATE INDEX notices_user ON svc.notices USING btree (user_id, id DESC);

create table svc.own_runs (
  id bigint not null generated,
  user_id integer not null,
  project_id integer not null,
  query_id integer,
  version_number integer,
  steps jsonb not null,
  final_query text,
  outcome text not null,
  message text,
  row_count bigint,
  duration_ms double precision not null,
  ran_at timestamp with time zone not null default now(),
  constraint own_runs_outcome_check CHECK ((outcome = ANY (ARRAY['Succeeded'::text, 'Failed'::text, 'Stopped'::text]))),
  constraint own_runs_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint own_runs_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint own_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint own_runs_pkey PRIMARY KEY (id)
);

CREATE INDEX own_runs_user ON svc.own_runs USING btree (user_id, id DESC);

create table svc.project_data_sources (
  project_id integer not null,
  data_source_id integer not null,
  linked_by_user_id integer,
  linked_at timestamp with time zone not null default now(),
  constraint project_data_sources_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint project_data_sources_linked_by_user_id_fkey FOREIGN KEY (linked_by_user_id) REFERENCES svc.users(id),
  constraint project_data_sources_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint project_data_sources_pkey PRIMARY KEY (project_id, data_source_id)
);

CREATE INDEX project_data_sources_source ON svc.project_data_sources USING btree (data_source_id);

create table svc.project_members (
  project_id integer not null,
  user_id integer not null,
  role text not null,
  added_by_user_id integer,
  added_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint project_members_role_check CHECK ((role = ANY (ARRAY['Viewer'::text, 'Editor'::text, 'ProjectAdmin'::text]))),
  constraint project_members_added_by_user_id_fkey FOREIGN KEY (added_by_user_id) REFERENCES svc.users(id),
  constraint project_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint project_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint project_members_pkey PRIMARY KEY (project_id, user_id)
);

CREATE INDEX project_members_user ON svc.project_members USING btree (user_id);

create table svc.projects (
  id integer not null generated,
  name text not null,
  description text,
  access_mode text not null default 'Open'::text,
  is_demo boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  constraint projects_access_mode_check CHECK ((access_mode = ANY (ARRAY['Open'::text, 'Restricted'::text]))),
  constraint projects_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint projects_pkey PRIMARY KEY (id)
);

CREATE INDEX projects_by_creation ON svc.projects USING btree (created_time DESC NULLS LAST, id DESC NULLS LAST) WHERE (archived_at IS NULL);

CREATE INDEX projects_created ON svc.projects USING btree (created_time DESC, id DESC) WHERE (archived_at IS NULL);

CREATE INDEX projects_name ON svc.projects USING btree (lower(name) COLLATE "C", id) WHERE (archived_at IS NULL);

create table svc.provisioning_runs (
  id bigint not null generated,
  folder text not null,
  manager text not null,
  act_as text not null,
  started_at timestamp with time zone not null default now(),
  beat_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  outcome text,
  detail text,
  constraint provisioning_runs_check CHECK (((finished_at IS NULL) = (outcome IS NULL))),
  constraint provisioning_runs_outcome_check CHECK ((outcome = ANY (ARRAY['Applied'::text, 'Incomplete'::text, 'Failed'::text, 'CutShort'::text]))),
  constraint provisioning_runs_pkey PRIMARY KEY (id)
);

create table svc.queries (
  id integer not null generated,
  project_id integer not null,
  name text not null,
  description text,
  final_query text,
  parameters jsonb not null default '[]'::jsonb,
  is_locked boolean not null default false,
  locked_at timestamp with time zone,
  locked_by_user_id integer,
  is_demo boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  updated_by_user_id integer,
  version integer not null default 1,
  archived_at timestamp with time zone,
  active_version_id integer,
  folder_id integer,
  ai_actor_id integer,
  constraint queries_active_version_id_fkey FOREIGN KEY (active_version_id) REFERENCES svc.query_versions(id),
  constraint queries_ai_actor_id_fkey FOREIGN KEY (ai_actor_id) REFERENCES svc.ai_actors(id),
  constraint queries_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint queries_folder FOREIGN KEY (project_id, folder_id) REFERENCES svc.query_folders(project_id, id),
  constraint queries_locked_by_user_id_fkey FOREIGN KEY (locked_by_user_id) REFERENCES svc.users(id),
  constraint queries_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint queries_updated_by_user_id_fkey FOREIGN KEY (updated_by_user_id) REFERENCES svc.users(id),
  constraint queries_pkey PRIMARY KEY (id)
);

CREATE INDEX queries_ai_actor ON svc.queries USING btree (ai_actor_id) WHERE (ai_actor_id IS NOT NULL);

CREATE INDEX queries_name ON svc.queries USING btree (lower(name) COLLATE "C", id) WHERE (archived_at IS NULL);

CREATE INDEX queries_project ON svc.queries USING btree (project_id);

create table svc.query_changes (
  id bigint not null generated,
  query_id integer not null,
  kind text not null,
  by_user_id integer,
  at timestamp with time zone not null default now(),
  version_id integer,
  constraint query_changes_kind_check CHECK ((kind = ANY (ARRAY['Locked'::text, 'Unlocked'::text, 'Moved'::text, 'Published'::text, 'Unpublished'::text]))),
  constraint query_changes_by_user_id_fkey FOREIGN KEY (by_user_id) REFERENCES svc.users(id),
  constraint query_changes_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint query_changes_version_id_fkey FOREIGN KEY (version_id) REFERENCES svc.query_versions(id),
  constraint query_changes_pkey PRIMARY KEY (id)
);

CREATE INDEX query_changes_query ON svc.query_changes USING btree (query_id, at);

create table svc.query_checks (
  query_id integer not null,
  version_id integer,
  verdict text not null,
  message text,
  checked_at timestamp with time zone not null default now(),
  constraint query_checks_check CHECK (((verdict = 'Passed'::text) = (message IS NULL))),
  constraint query_checks_verdict_check CHECK ((verdict = ANY (ARRAY['Passed'::text, 'Failed'::text, 'NotChecked'::text]))),
  constraint query_checks_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint query_checks_version_id_fkey FOREIGN KEY (version_id) REFERENCES svc.query_versions(id),
  constraint query_checks_pkey PRIMARY KEY (query_id)
);

CREATE INDEX query_checks_failed ON svc.query_checks USING btree (query_id) WHERE (verdict = 'Failed'::text);

create table svc.query_folders (
  id integer not null generated,
  project_id integer not null,
  parent_id integer,
  name text not null,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint query_folders_check CHECK ((parent_id <> id)),
  constraint query_folders_name_check CHECK (((name <> ''::text) AND (POSITION(('/'::text) IN (name)) = 0))),
  constraint query_folders_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint query_folders_parent FOREIGN KEY (project_id, parent_id) REFERENCES svc.query_folders(project_id, id),
  constraint query_folders_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint query_folders_pkey PRIMARY KEY (id),
  constraint query_folders_own UNIQUE (project_id, id)
);

CREATE UNIQUE INDEX query_folders_name ON svc.query_folders USING btree (project_id, COALESCE(parent_id, 0), lower(name));

create table svc.query_steps (
  id integer not null generated,
  query_id integer not null,
  step_order integer not null,
  name text,
  description text,
  data_source_id integer not null,
  sql text not null,
  step_key uuid not null default gen_random_uuid(),
  constraint query_steps_step_order_check CHECK ((step_order >= 1)),
  constraint query_steps_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint query_steps_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint query_steps_pkey PRIMARY KEY (id),
  constraint query_steps_key UNIQUE (query_id, step_key),
  constraint query_steps_order UNIQUE (query_id, step_order) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX query_steps_source ON svc.query_steps USING btree (data_source_id);

create table svc.query_tools (
  query_id integer not null,
  is_enabled boolean not null,
  name text not null,
  description text,
  version_id integer not null,
  enabled_at timestamp with time zone not null default now(),
  published_at timestamp with time zone not null default now(),
  published_by_user_id integer,
  version integer not null default 1,
  constraint query_tools_description_check CHECK ((length(description) <= 2000)),
  constraint query_tools_name_check CHECK ((name ~ '^[a-z][a-z0-9_]{2,40}$'::text)),
  constraint query_tools_published_by_user_id_fkey FOREIGN KEY (published_by_user_id) REFERENCES svc.users(id),
  constraint query_tools_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint query_tools_version FOREIGN KEY (query_id, version_id) REFERENCES svc.query_versions(query_id, id),
  constraint query_tools_pkey PRIMARY KEY (query_id)
);

CREATE UNIQUE INDEX query_tools_name ON svc.query_tools USING btree (name) WHERE is_enabled;

create table svc.query_versions (
  id integer not null generated,
  query_id integer not null,
  version_number integer not null,
  status text not null,
  name text not null,
  description text,
  final_query text,
  parameters jsonb not null,
  steps jsonb not null,
  definition_hash text not null generated default svc.query_definition_hash(name, description, final_query, parameters, steps),
  change_source text not null,
  change_reason text,
  restored_from_id integer,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  steps_hash text not null generated default svc.text_hash((steps)::text),
  final_query_hash text generated default svc.text_hash(final_query),
  parameters_hash text not null generated default svc.text_hash((svc.normal_query_parameters(parameters))::text),
  constraint query_versions_change_reason_check CHECK ((length(change_reason) <= 2000)),
  constraint query_versions_change_source_check CHECK ((change_source = ANY (ARRAY['User'::text, 'Restore'::text, 'AiActor'::text, 'Import'::text]))),
  constraint query_versions_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Archived'::text, 'PendingApproval'::text, 'Rejected'::text, 'Withdrawn'::text]))),
  constraint query_versions_version_number_check CHECK ((version_number >= 1)),
  constraint query_versions_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint query_versions_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint query_versions_restored_from_id_fkey FOREIGN KEY (restored_from_id) REFERENCES svc.query_versions(id),
  constraint query_versions_pkey PRIMARY KEY (id),
  constraint query_versions_number UNIQUE (query_id, version_number),
  constraint query_versions_own UNIQUE (query_id, id)
);

CREATE UNIQUE INDEX query_versions_active ON svc.query_versions USING btree (query_id) WHERE (status = 'Active'::text);

CREATE UNIQUE INDEX query_versions_pending ON svc.query_versions USING btree (query_id) WHERE (status = 'PendingApproval'::text);

create table svc.rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

CREATE INDEX rate_limits_expire ON svc.rate_limits USING btree (expire);

create table svc.recent_writes (
  caller text not null,
  written_at timestamp with time zone not null,
  constraint recent_writes_pkey PRIMARY KEY (caller)
);

create table svc.recipients (
  id integer not null generated,
  name text not null,
  description text,
  notification_type text not null,
  destination_sealed text not null,
  headers_sealed text,
  header_names text[] not null default '{}'::text[],
  body_template text,
  state text not null default 'Approved'::text,
  approved_hash text,
  is_demo boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  approved_sealed text,
  signing_secrets_sealed text,
  retries_max integer not null default 0,
  retry_delay_seconds integer not null default 60,
  number_format text not null default 'Text'::text,
  constraint recipients_notification_type_check CHECK ((notification_type = ANY (ARRAY['Email'::text, 'ChatBlocks'::text, 'ChatCards'::text, 'IssueTracker'::text, 'Webhook'::text]))),
  constraint recipients_number_format_check CHECK ((number_format = ANY (ARRAY['Text'::text, 'Number'::text]))),
  constraint recipients_retries_max_check CHECK (((retries_max >= 0) AND (retries_max <= 10))),
  constraint recipients_retry_delay_seconds_check CHECK (((retry_delay_seconds >= 5) AND (retry_delay_seconds <= 86400))),
  constraint recipients_state_check CHECK ((state = ANY (ARRAY['Approved'::text, 'AwaitingApproval'::text, 'Rejected'::text]))),
  constraint recipients_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint recipients_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX recipients_name ON svc.recipients USING btree (lower(name)) WHERE (archived_at IS NULL);

create table svc.relationships (
  id integer not null generated,
  data_source_id integer not null,
  source_schema text not null,
  source_table text not null,
  source_columns text[] not null,
  target_schema text not null,
  target_table text not null,
  target_columns text[] not null,
  label text not null,
  origin text not null,
  cardinality text not null,
  confidence numeric not null,
  verified_by_user_id integer,
  verified_at timestamp with time zone,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  archived_because text,
  constraint relationships_archived_because_check CHECK ((archived_because = ANY (ARRAY['Deleted'::text, 'Vanished'::text]))),
  constraint relationships_cardinality_check CHECK ((cardinality = ANY (ARRAY['OneToOne'::text, 'ManyToOne'::text, 'ManyToMany'::text, 'Unknown'::text]))),
  constraint relationships_check CHECK ((((cardinality(source_columns) >= 1) AND (cardinality(source_columns) <= 32)) AND (cardinality(source_columns) = cardinality(target_columns)))),
  constraint relationships_check1 CHECK (((archived_at IS NULL) = (archived_because IS NULL))),
  constraint relationships_confidence_check CHECK (((confidence > (0)::numeric) AND (confidence <= (1)::numeric))),
  constraint relationships_label_check CHECK ((length(label) <= 200)),
  constraint relationships_origin_check CHECK ((origin = ANY (ARRAY['ForeignKey'::text, 'Inferred'::text, 'Manual'::text]))),
  constraint relationships_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint relationships_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint relationships_verified_by_user_id_fkey FOREIGN KEY (verified_by_user_id) REFERENCES svc.users(id),
  constraint relationships_pkey PRIMARY KEY (id),
  constraint relationships_ends UNIQUE (data_source_id, source_schema, source_table, source_columns, target_schema, target_table, target_columns)
);

create table svc.repositories (
  id integer not null generated,
  project_id integer not null,
  url text not null,
  branch text not null,
  token_sealed text,
  scan_status text not null default 'NotScanned'::text,
  scan_failure text,
  scanned_at timestamp with time zone,
  commit_id text,
  file_count integer,
  reference_count integer not null default 0,
  is_cut boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  constraint repositories_branch_check CHECK (((length(branch) >= 1) AND (length(branch) <= 200))),
  constraint repositories_check CHECK (((scan_status = 'Failed'::text) = (scan_failure IS NOT NULL))),
  constraint repositories_scan_status_check CHECK ((scan_status = ANY (ARRAY['NotScanned'::text, 'Waiting'::text, 'Scanning'::text, 'Completed'::text, 'Failed'::text]))),
  constraint repositories_url_check CHECK (((length(url) >= 1) AND (length(url) <= 500))),
  constraint repositories_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint repositories_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint repositories_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX repositories_once ON svc.repositories USING btree (project_id, lower(url), branch) WHERE (archived_at IS NULL);

create table svc.row_memories (
  subscription_id integer not null,
  domain integer not null,
  key_id text not null,
  key_columns text[] not null,
  columns text[] not null,
  bucket_bits integer not null,
  row_count integer not null,
  duplicate_key_count integer not null,
  has_keys boolean not null,
  run_id bigint not null,
  updated_at timestamp with time zone not null default now(),
  constraint row_memories_bucket_bits_check CHECK (((bucket_bits >= 0) AND (bucket_bits <= 12))),
  constraint row_memories_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id) ON DELETE CASCADE,
  constraint row_memories_pkey PRIMARY KEY (subscription_id)
);

create table svc.row_memory_buckets (
  id bigint not null generated,
  subscription_id integer not null,
  is_staged boolean not null,
  bucket integer not null,
  entries bytea not null,
  keys_sealed text,
  constraint row_memory_buckets_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id) ON DELETE CASCADE,
  constraint row_memory_buckets_pkey PRIMARY KEY (id),
  constraint row_memory_buckets_place UNIQUE (subscription_id, is_staged, bucket)
);

create table svc.row_memory_staged (
  subscription_id integer not null,
  run_id bigint not null,
  domain integer not null,
  key_id text not null,
  key_columns text[] not null,
  columns text[] not null,
  bucket_bits integer not null,
  row_count integer not null,
  duplicate_key_count integer not null,
  has_keys boolean not null,
  replaces_all boolean not null,
  constraint row_memory_staged_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id) ON DELETE CASCADE,
  constraint row_memory_staged_pkey PRIMARY KEY (subscription_id)
);

create table svc.run_attachment_parts (
  id text not null generated default ((((run_id)::text || '/'::text) ||
CASE
    WHEN (message_no = 0) THEN ''::text
    ELSE ((message_no)::text || '/'::text)
END) || (part)::text),
  run_id bigint not null,
  run_due_at timestamp with time zone not null,
  message_no integer not null default 0,
  part integer not null,
  data_sealed text not null,
  constraint run_attachment_parts_pkey PRIMARY KEY (id, run_due_at)
) partition by range (run_due_at);

CREATE UNIQUE INDEX run_attachment_parts_place ON ONLY svc.run_attachment_parts USING btree (run_id, run_due_at, message_no, part);

create table svc.run_attachments (
  run_id bigint not null,
  run_due_at timestamp with time zone not null,
  message_no integer not null default 0,
  name text not null,
  content_type text not null,
  row_count bigint not null,
  byte_count bigint not null,
  constraint run_attachments_pkey PRIMARY KEY (run_id, run_due_at, message_no)
) partition by range (run_due_at);

create table svc.run_counts_open (
  id bigint not null generated,
  day date not null,
  subscription_id integer,
  contract_id integer,
  query_id integer,
  project_id integer not null,
  data_source_ids integer[],
  status text not null,
  is_anomaly boolean not null default false,
  ended_at timestamp with time zone not null,
  constraint run_counts_open_pkey PRIMARY KEY (id)
);

create table svc.run_days (
  day date not null,
  subscription_id integer,
  contract_id integer,
  query_id integer,
  project_id integer not null,
  data_source_ids integer[],
  runs integer not null,
  judged integer not null,
  good integer not null,
  failed integer not null,
  anomalies integer not null,
  last_good_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  constraint run_days_key UNIQUE NULLS NOT DISTINCT (day, subscription_id, contract_id, query_id, project_id, data_source_ids)
) partition by range (day);

CREATE INDEX run_days_contract ON ONLY svc.run_days USING btree (contract_id, day) WHERE (contract_id IS NOT NULL);

CREATE INDEX run_days_subscription ON ONLY svc.run_days USING btree (subscription_id, day);

create table svc.run_messages (
  id text not null generated default (((run_id)::text || '/'::text) || (no)::text),
  run_id bigint not null,
  run_due_at timestamp with time zone not null,
  no integer not null,
  recipient_id integer,
  message_sealed text,
  row_count bigint not null,
  constraint run_messages_no_check CHECK ((no >= 1)),
  constraint run_messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES svc.recipients(id),
  constraint run_messages_pkey PRIMARY KEY (id, run_due_at)
) partition by range (run_due_at);

create table svc.run_totals (
  day date not null,
  project_id integer not null,
  data_source_ids integer[],
  status text not null,
  runs bigint not null,
  constraint run_totals_key UNIQUE NULLS NOT DISTINCT (day, project_id, data_source_ids, status)
) partition by range (day);

create table svc.runs (
  id bigint not null default nextval('svc.run_ids'::regclass),
  due_at timestamp with time zone not null,
  subscription_id integer,
  query_id integer,
  contract_id integer,
  evaluation_id bigint,
  project_id integer not null,
  title text,
  query_version integer,
  origin text not null,
  started_by_user_id integer,
  status text not null default 'Created'::text,
  reason text,
  reason_detail jsonb,
  created_time timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  held_until timestamp with time zone,
  finished_at timestamp with time zone,
  execution_time_ms double precision,
  result_count bigint,
  previous_result_count bigint,
  expected_lower double precision,
  expected_upper double precision,
  data_source_ids integer[],
  stored_results jsonb,
  message_sealed text,
  job_id uuid,
  trace_id text,
  recovered_at timestamp with time zone,
  query_version_id integer,
  anomaly_direction text,
  anomaly_severity text,
  anomaly_explanation text,
  anomaly_verdict text,
  anomaly_verdict_by_user_id integer,
  anomaly_verdict_at timestamp with time zone,
  request jsonb,
  execution jsonb,
  alert_news text,
  unrouted_count bigint,
  held_at timestamp with time zone,
  constraint runs_alert_news_check CHECK ((alert_news = ANY (ARRAY['Opened'::text, 'StillFiring'::text, 'Recovered'::text]))),
  constraint runs_anomaly CHECK (((num_nonnulls(anomaly_direction, anomaly_severity, anomaly_explanation) = ANY (ARRAY[0, 3])) AND ((anomaly_verdict IS NULL) OR (anomaly_direction IS NOT NULL)))),
  constraint runs_anomaly_direction_check CHECK ((anomaly_direction = ANY (ARRAY['Up'::text, 'Down'::text]))),
  constraint runs_anomaly_severity_check CHECK ((anomaly_severity = ANY (ARRAY['Low'::text, 'Medium'::text, 'High'::text, 'Critical'::text]))),
  constraint runs_anomaly_verdict_check CHECK ((anomaly_verdict = ANY (ARRAY['Expected'::text, 'Real'::text]))),
  constraint runs_due_at_check CHECK ((due_at = date_trunc('milliseconds'::text, due_at))),
  constraint runs_name CHECK ((num_nonnulls(query_id, title) >= 1)),
  constraint runs_origin_check1 CHECK ((origin = ANY (ARRAY['Schedule'::text, 'Test'::text]))),
  constraint runs_status_check1 CHECK ((status = ANY (ARRAY['Created'::text, 'Sent'::text, 'Silenced'::text, 'NoResults'::text, 'Timeout'::text, 'BelowThreshold'::text, 'Failed'::text, 'Skipped'::text]))),
  constraint runs_subject CHECK ((num_nonnulls(subscription_id, contract_id) = 1)),
  constraint runs_anomaly_verdict_by_user_id_fkey FOREIGN KEY (anomaly_verdict_by_user_id) REFERENCES svc.users(id),
  constraint runs_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint runs_query_id_fkey1 FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint runs_query_version_id_fkey FOREIGN KEY (query_version_id) REFERENCES svc.query_versions(id),
  constraint runs_started_by_user_id_fkey1 FOREIGN KEY (started_by_user_id) REFERENCES svc.users(id),
  constraint runs_subscription_id_fkey1 FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id),
  constraint runs_pkey PRIMARY KEY (id, due_at)
) partition by range (due_at);

CREATE INDEX runs_contract ON ONLY svc.runs USING btree (contract_id, due_at DESC, id DESC) WHERE (contract_id IS NOT NULL);

CREATE INDEX runs_contract_open ON ONLY svc.runs USING btree (contract_id) WHERE ((contract_id IS NOT NULL) AND (status = 'Created'::text));

CREATE INDEX runs_created ON ONLY svc.runs USING btree (created_time DESC, id DESC);

CREATE INDEX runs_due ON ONLY svc.runs USING btree (due_at DESC, id DESC);

CREATE INDEX runs_held ON ONLY svc.runs USING btree (subscription_id) WHERE ((held_until IS NOT NULL) AND (status = 'Created'::text));

CREATE INDEX runs_message ON ONLY svc.runs USING btree (finished_at) WHERE (message_sealed IS NOT NULL);

CREATE INDEX runs_status ON ONLY svc.runs USING btree (status, due_at DESC, id DESC);

CREATE INDEX runs_subscription ON ONLY svc.runs USING btree (subscription_id, due_at DESC, id DESC);

CREATE UNIQUE INDEX runs_tick ON ONLY svc.runs USING btree (subscription_id, due_at) WHERE ((origin = 'Schedule'::text) AND (subscription_id IS NOT NULL));

create table svc.runtime_setting_changes (
  id bigint not null generated,
  key text not null,
  old_value jsonb,
  new_value jsonb,
  changed_at timestamp with time zone not null default now(),
  changed_by_user_id integer,
  changed_by_host_user text,
  constraint runtime_setting_changes_changed_by_user_id_fkey FOREIGN KEY (changed_by_user_id) REFERENCES svc.users(id),
  constraint runtime_setting_changes_pkey PRIMARY KEY (id)
);

create table svc.runtime_settings (
  key text not null,
  value jsonb,
  version integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  changed_by_user_id integer,
  value_sealed text,
  constraint runtime_settings_changed_by_user_id_fkey FOREIGN KEY (changed_by_user_id) REFERENCES svc.users(id),
  constraint runtime_settings_pkey PRIMARY KEY (key)
);

create table svc.saved_views (
  id integer not null generated,
  user_id integer not null,
  list text not null,
  name text not null,
  search text not null,
  created_time timestamp with time zone not null default now(),
  constraint saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id) ON DELETE CASCADE,
  constraint saved_views_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX saved_views_name ON svc.saved_views USING btree (user_id, list, lower(name));

create table svc.schema_changes (
  id bigint not null generated,
  data_source_id integer not null,
  found_at timestamp with time zone not null default now(),
  kind text not null,
  schema_name text not null,
  table_name text not null,
  column_name text,
  type_before text,
  type_after text,
  constraint schema_changes_check CHECK (((column_name IS NULL) = (kind = ANY (ARRAY['TableAdded'::text, 'TableRemoved'::text])))),
  constraint schema_changes_kind_check CHECK ((kind = ANY (ARRAY['TableAdded'::text, 'TableRemoved'::text, 'ColumnAdded'::text, 'ColumnRemoved'::text, 'ColumnRetyped'::text]))),
  constraint schema_changes_data_source_id_fkey FOREIGN KEY (data_source_id) REFERENCES svc.data_sources(id),
  constraint schema_changes_pkey PRIMARY KEY (id)
);

CREATE INDEX schema_changes_source ON svc.schema_changes USING btree (data_source_id, id DESC);

create table svc.sessions (
  id bigint not null generated,
  token_hash bytea not null,
  user_id integer not null,
  security_stamp uuid not null,
  auth_method text not null,
  identity_provider_issuer text,
  identity_provider_session text,
  is_persistent boolean not null default false,
  signed_in_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  checked_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  user_agent text,
  client_address text,
  ended_at timestamp with time zone,
  end_reason text,
  constraint sessions_auth_method_check CHECK ((auth_method = ANY (ARRAY['Password'::text, 'BreakGlass'::text, 'Oidc'::text, 'ExternalLogin'::text]))),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX sessions_expiry ON svc.sessions USING btree (expires_at);

CREATE INDEX sessions_identity_provider ON svc.sessions USING btree (identity_provider_session) WHERE ((ended_at IS NULL) AND (identity_provider_session IS NOT NULL));

CREATE INDEX sessions_user ON svc.sessions USING btree (user_id) WHERE (ended_at IS NULL);

create table svc.setup_completion (
  only_row boolean not null default true,
  super_admin_user_id integer not null,
  completed_at timestamp with time zone not null default now(),
  constraint setup_completion_only_row_check CHECK (only_row),
  constraint setup_completion_super_admin_user_id_fkey FOREIGN KEY (super_admin_user_id) REFERENCES svc.users(id),
  constraint setup_completion_pkey PRIMARY KEY (only_row)
);

create table svc.sign_in_transactions (
  token_hash bytea not null,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_transactions_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX sign_in_transactions_expiry ON svc.sign_in_transactions USING btree (expires_at);

create table svc.skipped_slots (
  subscription_id integer not null,
  slot_at timestamp with time zone not null,
  missed_run_id bigint not null,
  constraint skipped_slots_missed_run_id_fkey FOREIGN KEY (missed_run_id) REFERENCES svc.missed_runs(id) ON DELETE CASCADE,
  constraint skipped_slots_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id),
  constraint skipped_slots_pkey PRIMARY KEY (subscription_id, slot_at)
);

CREATE INDEX skipped_slots_missed_run ON svc.skipped_slots USING btree (missed_run_id);

create table svc.subscription_recipients (
  subscription_id integer not null,
  recipient_id integer not null,
  attached_by_user_id integer,
  attached_at timestamp with time zone not null default now(),
  constraint subscription_recipients_attached_by_user_id_fkey FOREIGN KEY (attached_by_user_id) REFERENCES svc.users(id),
  constraint subscription_recipients_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES svc.recipients(id),
  constraint subscription_recipients_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id),
  constraint subscription_recipients_pkey PRIMARY KEY (subscription_id, recipient_id)
);

CREATE INDEX subscription_recipients_recipient ON svc.subscription_recipients USING btree (recipient_id);

create table svc.subscription_routes (
  id text not null generated default (((subscription_id)::text || '/'::text) || (no)::text),
  subscription_id integer not null,
  no integer not null,
  value_sealed text not null,
  recipient_id integer not null,
  constraint subscription_routes_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscription_routings(subscription_id) ON DELETE CASCADE,
  constraint subscription_routes_subscription_id_recipient_id_fkey FOREIGN KEY (subscription_id, recipient_id) REFERENCES svc.subscription_recipients(subscription_id, recipient_id),
  constraint subscription_routes_pkey PRIMARY KEY (id)
);

CREATE INDEX subscription_routes_recipient ON svc.subscription_routes USING btree (subscription_id, recipient_id);

create table svc.subscription_routings (
  subscription_id integer not null,
  column_name text not null,
  fallback_recipient_id integer,
  constraint subscription_routings_subscription_id_fallback_recipient_i_fkey FOREIGN KEY (subscription_id, fallback_recipient_id) REFERENCES svc.subscription_recipients(subscription_id, recipient_id),
  constraint subscription_routings_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id) ON DELETE CASCADE,
  constraint subscription_routings_pkey PRIMARY KEY (subscription_id)
);

create table svc.subscriptions (
  id integer not null generated,
  query_id integer not null,
  owner_user_id integer,
  cron_expression text not null,
  time_zone text not null default 'UTC'::text,
  notification_trigger text not null default 'OnResultCountChange'::text,
  minimum_row_count integer,
  max_rows integer,
  timeout_seconds integer,
  show_query boolean not null default false,
  store_results boolean not null default false,
  include_attachment boolean not null default false,
  attachment_format text,
  parameters jsonb not null default '{}'::jsonb,
  is_demo boolean not null default false,
  created_by_user_id integer,
  created_time timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  archived_at timestamp with time zone,
  watch_due_at timestamp with time zone,
  stopped_reason text,
  create_tasks boolean not null default false,
  sla_hours integer,
  snoozed_until timestamp with time zone,
  snooze_reason text,
  anomaly jsonb,
  alert jsonb,
  quiet_hours jsonb,
  row_memory jsonb,
  ai_actor_id integer,
  paused_at timestamp with time zone,
  overlap text not null default 'Skip'::text,
  schedule_changed_at timestamp with time zone,
  replaces_id integer,
  constraint subscriptions_alert CHECK (((notification_trigger = 'WhileRows'::text) = (alert IS NOT NULL))),
  constraint subscriptions_attachment_format_check CHECK ((attachment_format = ANY (ARRAY['Csv'::text, 'Xlsx'::text]))),
  constraint subscriptions_max_rows_check CHECK ((max_rows >= 1)),
  constraint subscriptions_minimum_row_count_check CHECK ((minimum_row_count >= 1)),
  constraint subscriptions_notification_trigger_check CHECK ((notification_trigger = ANY (ARRAY['OnResultCountChange'::text, 'Always'::text, 'OnResultCountIncrease'::text, 'OnAnomaly'::text, 'WhileRows'::text, 'OnRowChange'::text]))),
  constraint subscriptions_overlap_check CHECK ((overlap = ANY (ARRAY['Skip'::text, 'Queue'::text]))),
  constraint subscriptions_pause CHECK (((paused_at IS NULL) OR (archived_at IS NULL))),
  constraint subscriptions_replaces CHECK ((replaces_id < id)),
  constraint subscriptions_row_memory CHECK (((notification_trigger = 'OnRowChange'::text) = (row_memory IS NOT NULL))),
  constraint subscriptions_sla_hours_check CHECK (((sla_hours >= 1) AND (sla_hours <= 720))),
  constraint subscriptions_snooze CHECK (((snooze_reason IS NULL) OR (snoozed_until IS NOT NULL))),
  constraint subscriptions_snooze_reason_check CHECK ((length(snooze_reason) <= 500)),
  constraint subscriptions_timeout_seconds_check CHECK (((timeout_seconds >= 1) AND (timeout_seconds <= 86400))),
  constraint subscriptions_ai_actor_id_fkey FOREIGN KEY (ai_actor_id) REFERENCES svc.ai_actors(id),
  constraint subscriptions_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES svc.users(id),
  constraint subscriptions_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES svc.users(id),
  constraint subscriptions_query_id_fkey FOREIGN KEY (query_id) REFERENCES svc.queries(id),
  constraint subscriptions_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES svc.subscriptions(id),
  constraint subscriptions_pkey PRIMARY KEY (id)
);

CREATE INDEX subscriptions_ai_actor ON svc.subscriptions USING btree (ai_actor_id) WHERE (ai_actor_id IS NOT NULL);

CREATE INDEX subscriptions_owner ON svc.subscriptions USING btree (owner_user_id);

CREATE INDEX subscriptions_query ON svc.subscriptions USING btree (query_id);

CREATE INDEX subscriptions_watch ON svc.subscriptions USING btree (watch_due_at) WHERE (archived_at IS NULL);

create table svc.task_events (
  id bigint not null generated,
  task_id integer not null,
  kind text not null,
  created_time timestamp with time zone not null default now(),
  user_id integer,
  content text,
  detail jsonb not null default '{}'::jsonb,
  run_id bigint,
  constraint task_events_content_check CHECK (((length(content) >= 1) AND (length(content) <= 4000))),
  constraint task_events_kind_check CHECK ((kind = ANY (ARRAY['Opened'::text, 'CountChanged'::text, 'Assigned'::text, 'Unassigned'::text, 'PriorityChanged'::text, 'Snoozed'::text, 'Woke'::text, 'Overdue'::text, 'Resolved'::text, 'Reopened'::text, 'Commented'::text, 'Acknowledged'::text, 'AcknowledgementWithdrawn'::text]))),
  constraint task_events_task_id_fkey FOREIGN KEY (task_id) REFERENCES svc.tasks(id),
  constraint task_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint task_events_pkey PRIMARY KEY (id)
);

CREATE INDEX task_events_run ON svc.task_events USING btree (run_id) WHERE (run_id IS NOT NULL);

CREATE INDEX task_events_task ON svc.task_events USING btree (task_id, id DESC);

create table svc.task_watchers (
  task_id integer not null,
  user_id integer not null,
  watched_at timestamp with time zone not null default now(),
  constraint task_watchers_task_id_fkey FOREIGN KEY (task_id) REFERENCES svc.tasks(id),
  constraint task_watchers_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint task_watchers_pkey PRIMARY KEY (task_id, user_id)
);

CREATE INDEX task_watchers_user ON svc.task_watchers USING btree (user_id);

create table svc.tasks (
  id integer not null generated,
  subscription_id integer,
  contract_id integer,
  project_id integer not null,
  title text,
  state text not null default 'Open'::text,
  priority text not null default 'Normal'::text,
  assignee_user_id integer,
  due_at timestamp with time zone,
  overdue_told_at timestamp with time zone,
  snoozed_until timestamp with time zone,
  snoozed_count bigint,
  latest_count bigint not null,
  latest_at timestamp with time zone not null default now(),
  created_time timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  resolved_by_user_id integer,
  resolution text,
  notes text,
  previous_task_id integer,
  version integer not null default 1,
  constraint tasks_due_at_check CHECK ((due_at = date_trunc('milliseconds'::text, due_at))),
  constraint tasks_name CHECK ((num_nonnulls(subscription_id, title) >= 1)),
  constraint tasks_notes_check CHECK ((length(notes) <= 2000)),
  constraint tasks_priority_check CHECK ((priority = ANY (ARRAY['Critical'::text, 'High'::text, 'Normal'::text, 'Low'::text]))),
  constraint tasks_resolution CHECK ((((state = 'Resolved'::text) = (resolved_at IS NOT NULL)) AND ((state = 'Resolved'::text) = (resolution IS NOT NULL)))),
  constraint tasks_resolution_check CHECK ((resolution = ANY (ARRAY['Automatic'::text, 'Manual'::text]))),
  constraint tasks_snooze CHECK ((num_nonnulls(snoozed_until, snoozed_count) = ANY (ARRAY[0, 2]))),
  constraint tasks_snoozed_until_check CHECK ((snoozed_until = date_trunc('milliseconds'::text, snoozed_until))),
  constraint tasks_state_check CHECK ((state = ANY (ARRAY['Open'::text, 'Resolved'::text]))),
  constraint tasks_subject CHECK ((num_nonnulls(subscription_id, contract_id) = 1)),
  constraint tasks_assignee_user_id_fkey FOREIGN KEY (assignee_user_id) REFERENCES svc.users(id),
  constraint tasks_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES svc.data_contracts(id),
  constraint tasks_previous_task_id_fkey FOREIGN KEY (previous_task_id) REFERENCES svc.tasks(id),
  constraint tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES svc.projects(id),
  constraint tasks_resolved_by_user_id_fkey FOREIGN KEY (resolved_by_user_id) REFERENCES svc.users(id),
  constraint tasks_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES svc.subscriptions(id),
  constraint tasks_pkey PRIMARY KEY (id)
);

CREATE INDEX tasks_assignee ON svc.tasks USING btree (assignee_user_id, id DESC) WHERE (assignee_user_id IS NOT NULL);

CREATE INDEX tasks_contract ON svc.tasks USING btree (contract_id, id DESC) WHERE (contract_id IS NOT NULL);

CREATE UNIQUE INDEX tasks_open_contract ON svc.tasks USING btree (contract_id) WHERE ((state = 'Open'::text) AND (contract_id IS NOT NULL));

CREATE UNIQUE INDEX tasks_open_subscription ON svc.tasks USING btree (subscription_id) WHERE ((state = 'Open'::text) AND (subscription_id IS NOT NULL));

CREATE INDEX tasks_previous ON svc.tasks USING btree (previous_task_id) WHERE (previous_task_id IS NOT NULL);

CREATE INDEX tasks_project ON svc.tasks USING btree (project_id, state, id DESC);

CREATE INDEX tasks_state ON svc.tasks USING btree (state, id DESC);

CREATE INDEX tasks_subscription ON svc.tasks USING btree (subscription_id, id DESC);

create table svc.user_roles (
  user_id integer not null,
  role text not null,
  source text not null default 'Granted'::text,
  granted_by_user_id integer,
  granted_at timestamp with time zone not null default now(),
  constraint user_roles_role_check CHECK ((role = ANY (ARRAY['Viewer'::text, 'Editor'::text, 'Admin'::text, 'UserAdmin'::text, 'SecurityAdmin'::text, 'DataSourceAdmin'::text, 'Auditor'::text, 'Approver'::text, 'MigrationOperator'::text]))),
  constraint user_roles_source_check CHECK ((source = ANY (ARRAY['Granted'::text, 'IdentityProvider'::text]))),
  constraint user_roles_granted_by_user_id_fkey FOREIGN KEY (granted_by_user_id) REFERENCES svc.users(id),
  constraint user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES svc.users(id),
  constraint user_roles_pkey PRIMARY KEY (user_id, role, source)
);

create table svc.users (
  id integer not null generated,
  user_name text not null,
  display_name text,
  email text,
  kind text not null,
  issuer text,
  subject text,
  password_hash text,
  must_change_password boolean not null default false,
  security_stamp uuid not null default gen_random_uuid(),
  is_super_admin boolean not null default false,
  is_enabled boolean not null default true,
  api_key_generation integer not null default 0,
  last_signed_in_at timestamp with time zone,
  created_time timestamp with time zone not null default now(),
  archived_at timestamp with time zone,
  unmailed_notice_kinds text[] not null default '{}'::text[],
  time_zone text,
  theme text,
  constraint users_external_identity CHECK (((kind = 'External'::text) = ((subject IS NOT NULL) AND (issuer IS NOT NULL)))),
  constraint users_kind_check CHECK ((kind = ANY (ARRAY['Internal'::text, 'External'::text]))),
  constraint users_password_is_internal CHECK (((password_hash IS NULL) OR (kind = 'Internal'::text))),
  constraint users_theme_check CHECK ((theme = ANY (ARRAY['System'::text, 'Light'::text, 'Dark'::text]))),
  constraint users_time_zone_check CHECK ((length(time_zone) <= 64)),
  constraint users_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX users_external ON svc.users USING btree (issuer, subject) WHERE (kind = 'External'::text);

CREATE UNIQUE INDEX users_user_name ON svc.users USING btree (lower(user_name));

CREATE OR REPLACE FUNCTION svc.add_month(parent text, month date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  part text := parent || to_char(month, '"_"YYYY"_"MM');
  starts text := month::text;
  ends text := (month + interval '1 month')::date::text;
  key text;
  is_day boolean;
  columns text;
begin
  -- One after the other: every process of the service looks after the months.
  perform pg_advisory_xact_lock(hashtext('svc.add_month'));
  if to_regclass(format('svc.%I', part)) is not null then
    return false;
  end if;
  select a.attname, a.atttypid = 'date'::regtype into strict key, is_day from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = format('svc.%I', parent)::regclass;
  -- Months are those of UTC.
  if not is_day then
    starts := starts || ' 00:00:00+00';
    ends := ends || ' 00:00:00+00';
  end if;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns from pg_attribute a
    where a.attrelid = format('svc.%I', parent)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  -- Attached instead of created as a partition: that would wait for every statement on the table.
  execute format(
    'create table svc.%I (like svc.%I including defaults including constraints including generated including storage)',
    part, parent);
  execute format(
    'with moved as (delete from svc.%1$I where %2$I >= %3$L and %2$I < %4$L returning %5$s)
     insert into svc.%6$I (%5$s) select %5$s from moved', parent || '_rest', key, starts, ends, columns, part);
  execute format('alter table svc.%I attach partition svc.%I for values from (%L) to (%L)', parent, part, starts, ends);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION svc.normal_query_parameters(parameters jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(jsonb_agg(
    case when p.value -> 'isRequired' = 'true' then jsonb_strip_nulls(p.value) - 'isRequired' else jsonb_strip_nulls(p.value) end
    order by p.ordinality), '[]')
  from jsonb_array_elements(parameters) with ordinality as p
$function$;

CREATE OR REPLACE FUNCTION svc.query_definition_hash(name text, description text, final_query text, parameters jsonb, steps jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select encode(sha256(convert_to(
    jsonb_build_array(name, description, final_query, svc.normal_query_parameters(parameters), steps)::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION svc.query_folder_names(folder_id integer)
 RETURNS text[]
 LANGUAGE sql
 STABLE STRICT
AS $function$
  with recursive up as (
    select f.parent_id, array[f.name] as names from svc.query_folders f where f.id = folder_id
    union all
    select p.parent_id, p.name || up.names from svc.query_folders p join up on p.id = up.parent_id)
  select names from up where parent_id is null
$function$;

CREATE OR REPLACE FUNCTION svc.query_folders_below(folder_id integer)
 RETURNS TABLE(id integer, steps integer)
 LANGUAGE sql
 STABLE STRICT
AS $function$
  with recursive below as (
    select f.id, 0 as steps from svc.query_folders f where f.id = folder_id
    union all
    select c.id, below.steps + 1 from svc.query_folders c join below on c.parent_id = below.id)
  select below.id, below.steps from below
$function$;

CREATE OR REPLACE FUNCTION svc.text_hash(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select encode(sha256(convert_to(value, 'UTF8')), 'hex')
$function$;
