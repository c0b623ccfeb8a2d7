-- Events between the processes of one service. A row lives for minutes: whoever was away longer starts over. Not
-- logged: after a crash of PostgreSQL nobody misses them, and writing one costs little.

create unlogged table svc.events (
  id bigint generated always as identity primary key,
  -- The transaction that wrote it: readers follow these, since rows become visible in another order than their ids.
  txid xid8 not null default pg_current_xact_id(),
  topic text not null,
  payload jsonb not null,
  created_time timestamptz not null default clock_timestamp()
);
create index events_txid on svc.events (txid);
create index events_created on svc.events (created_time);
