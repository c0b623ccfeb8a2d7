-- What keys are used for, what replaced them, and which notices of their end were given.

-- Uses by route and day, for 30 days.
create table svc.api_key_uses (
  api_key_id integer not null references svc.api_keys on delete cascade,
  day date not null,
  -- The route's method and pattern, never the path that was asked for.
  operation text not null,
  use_count bigint not null,
  last_used_at timestamptz not null,
  primary key (api_key_id, day, operation)
);
create index api_key_uses_day on svc.api_key_uses (day);

alter table svc.api_keys
  -- The key that took its place; this one then ends after the overlap.
  add column replaced_by_key_id integer references svc.api_keys,
  -- Days before the end of the last notice to the owner: 14, 3 or 1.
  add column expiry_noticed_days integer;
create index api_keys_expiry on svc.api_keys (expires_at) where revoked_at is null and expires_at is not null;
