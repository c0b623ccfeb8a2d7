-- What a subscription with the trigger OnRowChange remembers rows by; every other one has none.
alter table svc.subscriptions add column row_memory jsonb;
alter table svc.subscriptions
  drop constraint subscriptions_notification_trigger_check,
  add constraint subscriptions_notification_trigger_check check (
    notification_trigger in
      ('OnResultCountChange', 'Always', 'OnResultCountIncrease', 'OnAnomaly', 'WhileRows', 'OnRowChange')),
  add constraint subscriptions_row_memory check ((notification_trigger = 'OnRowChange') = (row_memory is not null));

-- The rows that a subscription knows. No cell of them is here: each is 24 bytes of keyed hashes.
create table svc.row_memories (
  subscription_id integer primary key references svc.subscriptions on delete cascade,
  -- What the hashes belong to: the subscription that was the first to remember them.
  domain integer not null,
  -- The encryption key that the hashes are made under.
  key_id text not null,
  key_columns text[] not null,
  -- Whose cells are in the hashes of what stands in a row.
  columns text[] not null,
  -- Buckets are numbered by so many leading bits of the hash of a key.
  bucket_bits integer not null check (bucket_bits between 0 and 12),
  row_count integer not null,
  -- Keys that several rows share: these rows are known as one.
  duplicate_key_count integer not null,
  has_keys boolean not null,
  run_id bigint not null,
  updated_at timestamptz not null default now()
);

-- What a run that has not ended will have the subscription know: one for each, that of its last run.
create table svc.row_memory_staged (
  subscription_id integer primary key references svc.subscriptions on delete cascade,
  run_id bigint not null,
  domain integer not null,
  key_id text not null,
  key_columns text[] not null,
  columns text[] not null,
  bucket_bits integer not null,
  row_count integer not null,
  duplicate_key_count integer not null,
  has_keys boolean not null,
  -- Every bucket is in it; else those that changed are, and the others stay.
  replaces_all boolean not null
);

-- Entries of both, so that a bucket is known from then on without being written again.
create table svc.row_memory_buckets (
  id bigint generated always as identity primary key,
  subscription_id integer not null references svc.subscriptions on delete cascade,
  is_staged boolean not null,
  bucket integer not null,
  -- 16 bytes of what a row is and 8 of what stands in it, one row after the other, sorted.
  entries bytea not null,
  -- The key cells of these rows as they were masked, in the same order; null where they are not kept.
  keys_sealed text,
  constraint row_memory_buckets_place unique (subscription_id, is_staged, bucket)
);
-- Neither hashes nor ciphertext compress.
alter table svc.row_memory_buckets
  alter column entries set storage external,
  alter column keys_sealed set storage external;

-- Messages of single rows go to every recipient.
alter table svc.run_messages alter column recipient_id drop not null;
