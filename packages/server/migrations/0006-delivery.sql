-- Attachments of runs, deliveries that are made again, signed webhooks, missed runs, notices to owners.

alter table svc.recipients
  -- Envelope of one or two secrets; null: messages are not signed.
  add column signing_secrets_sealed text,
  -- Repetitions of a failed delivery by the service itself; 0: none, as the rule is.
  add column retries_max integer not null default 0 check (retries_max between 0 and 10),
  -- Wait before the first of them; each one doubles it.
  add column retry_delay_seconds integer not null default 60 check (retry_delay_seconds between 5 and 86400);

alter table svc.subscriptions
  -- The next due time whose run is watched for; null: to be looked up.
  add column watch_due_at timestamptz,
  -- Why the service itself archived the subscription.
  add column stopped_reason text;
create index subscriptions_watch on svc.subscriptions (watch_due_at) where archived_at is null;

alter table svc.runs
  -- When the last recipient that a failed run had left out got its message after all.
  add column recovered_at timestamptz;

alter table svc.deliveries drop constraint deliveries_state_check;
alter table svc.deliveries
  -- Queued: ordered, not begun.
  add constraint deliveries_state_check check (state in ('Queued', 'Sending', 'Sent', 'Failed', 'Unknown', 'Skipped')),
  -- Run: the run's own attempt. Resend: somebody ordered it. Retry: the recipient's retry policy did.
  add column origin text not null default 'Run' check (origin in ('Run', 'Resend', 'Retry')),
  add column ordered_by_user_id integer references svc.users,
  -- When a queued attempt comes due.
  add column due_at timestamptz,
  -- The job that makes a queued attempt.
  add column job_id uuid,
  -- Words of what was not as asked although the message was sent.
  add column notes text[] not null default '{}',
  -- The other side's id of what was made: an issue's key, a mail's message id.
  add column remote_id text;
create index deliveries_undone on svc.deliveries (started_at desc, id desc) where state in ('Failed', 'Unknown', 'Skipped');
create index deliveries_open on svc.deliveries (id) where state in ('Queued', 'Sending');

-- The file of a run, masked. Its bytes are sealed, in parts, so that neither writing nor reading holds it twice.
create table svc.run_attachments (
  run_id bigint primary key references svc.runs on delete cascade,
  name text not null,
  content_type text not null,
  row_count bigint not null,
  byte_count bigint not null
);
create table svc.run_attachment_parts (
  -- The place that each part is bound to when it is sealed.
  id text generated always as (run_id::text || '/' || part::text) stored primary key,
  run_id bigint not null references svc.run_attachments on delete cascade,
  part integer not null,
  data_sealed text not null,
  unique (run_id, part)
);
-- Ciphertext does not compress.
alter table svc.run_attachment_parts alter column data_sealed set storage external;

-- Due times whose run did not start in time, those of one outage in one row.
create table svc.missed_runs (
  id bigint generated always as identity primary key,
  subscription_id integer not null references svc.subscriptions,
  first_due_at timestamptz not null,
  last_due_at timestamptz not null,
  missed_count integer not null check (missed_count >= 1),
  noticed_at timestamptz not null default now(),
  unique (subscription_id, first_due_at)
);
create index missed_runs_noticed on svc.missed_runs (noticed_at desc, id desc);

-- What the service has to tell somebody about their subscriptions.
create table svc.notices (
  id bigint generated always as identity primary key,
  user_id integer not null references svc.users,
  kind text not null check (kind in ('RunFailed', 'RunMissed', 'SubscriptionStopped')),
  subscription_id integer not null references svc.subscriptions,
  run_id bigint references svc.runs,
  -- What the sentence needs: a reason of the closed list, counts, times.
  facts jsonb not null default '{}',
  created_time timestamptz not null default now(),
  read_at timestamptz
);
create index notices_user on svc.notices (user_id, id desc);
create index notices_subscription on svc.notices (subscription_id, id desc);
