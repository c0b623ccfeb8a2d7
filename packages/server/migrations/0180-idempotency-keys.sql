-- Requests that were sent with an Idempotency-Key, for a day: what was asked, and what was answered. A row without an
-- answer is a request under way, or one whose end is not known.
create table svc.idempotent_requests (
  id uuid primary key,
  caller text not null,
  -- SHA-256 of the key: it may be anything that a client holds unique.
  key_hash bytea not null,
  request_sealed text not null,
  answer_sealed text,
  is_lost boolean not null default false,
  begun_at timestamptz not null default now(),
  unique (caller, key_hash)
);
create index idempotent_requests_begun on svc.idempotent_requests (begun_at);
