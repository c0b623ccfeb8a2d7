-- Recipients, subscriptions, their runs and what was delivered.

create table svc.recipients (
  id integer generated always as identity primary key,
  name text not null,
  description text,
  notification_type text not null check (notification_type in ('Email', 'ChatBlocks', 'ChatCards', 'IssueTracker', 'Webhook')),
  -- Envelope; plain text only in rows kept from before encryption.
  destination_sealed text not null,
  headers_sealed text,
  -- Names of the custom headers; the values are secrets.
  header_names text[] not null default '{}',
  body_template text,
  -- Approved: may be sent to. Set to another state only while an approval workflow governs the recipient.
  state text not null default 'Approved' check (state in ('Approved', 'AwaitingApproval', 'Rejected')),
  -- HMAC of type, destination and headers as approved; null for recipients that no workflow governs.
  approved_hash text,
  is_demo boolean not null default false,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz
);
create unique index recipients_name on svc.recipients (lower(name)) where archived_at is null;

create table svc.subscriptions (
  id integer generated always as identity primary key,
  query_id integer not null references svc.queries,
  -- Null: owned by the system (the demo before somebody took it over).
  owner_user_id integer references svc.users,
  cron_expression text not null,
  time_zone text not null default 'UTC',
  notification_trigger text not null default 'OnResultCountChange' check (notification_trigger in ('OnResultCountChange', 'Always', 'OnResultCountIncrease')),
  minimum_row_count integer check (minimum_row_count >= 1),
  max_rows integer check (max_rows >= 1),
  timeout_seconds integer check (timeout_seconds between 1 and 86400),
  show_query boolean not null default false,
  store_results boolean not null default false,
  include_attachment boolean not null default false,
  attachment_format text check (attachment_format in ('Csv', 'Xlsx')),
  parameters jsonb not null default '{}',
  is_demo boolean not null default false,
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  archived_at timestamptz
);
create index subscriptions_query on svc.subscriptions (query_id);
create index subscriptions_owner on svc.subscriptions (owner_user_id);

create table svc.subscription_recipients (
  subscription_id integer not null references svc.subscriptions,
  recipient_id integer not null references svc.recipients,
  attached_by_user_id integer references svc.users,
  attached_at timestamptz not null default now(),
  primary key (subscription_id, recipient_id)
);
create index subscription_recipients_recipient on svc.subscription_recipients (recipient_id);

create table svc.runs (
  id bigint generated always as identity primary key,
  subscription_id integer not null references svc.subscriptions,
  query_id integer not null references svc.queries,
  -- Schedule: a tick of the schedule, at due_at. Test: somebody pressed "Test now".
  origin text not null check (origin in ('Schedule', 'Test')),
  due_at timestamptz not null,
  started_by_user_id integer references svc.users,
  status text not null default 'Created' check (status in ('Created', 'Sent', 'Silenced', 'NoResults', 'Timeout', 'BelowThreshold', 'Failed', 'Skipped')),
  -- Reason from a closed list, with what it needs to be told ({"recipientIds":[1]}); never free text of a destination.
  reason text,
  reason_detail jsonb,
  created_time timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  execution_time_ms double precision,
  result_count bigint,
  previous_result_count bigint,
  -- Every data source that the run read: decides who sees it.
  data_source_ids integer[],
  -- Masked rows, kept when the subscription stores results.
  stored_results jsonb,
  -- The frozen message (masked), sealed; sent again only by somebody's order.
  message_sealed text,
  job_id uuid,
  trace_id text
);
-- A tick of a schedule makes one run, however many processes see it.
create unique index runs_tick on svc.runs (subscription_id, due_at) where origin = 'Schedule';
create index runs_subscription on svc.runs (subscription_id, created_time desc, id desc);
create index runs_created on svc.runs (created_time desc, id desc);
create index runs_status on svc.runs (status, created_time desc, id desc);

-- The ledger: one row per run, recipient and attempt, written before anything is sent.
create table svc.deliveries (
  id bigint generated always as identity primary key,
  run_id bigint not null references svc.runs,
  recipient_id integer not null references svc.recipients,
  attempt integer not null default 1,
  state text not null check (state in ('Sending', 'Sent', 'Failed', 'Unknown', 'Skipped')),
  reason text,
  http_class text,
  bytes_sent integer,
  message_id text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  duration_ms double precision,
  unique (run_id, recipient_id, attempt)
);
create index deliveries_recipient on svc.deliveries (recipient_id, started_at desc);
