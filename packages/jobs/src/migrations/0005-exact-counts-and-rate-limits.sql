-- Increments of endpoint statistics that were stored: those whose answer was lost are not added a second time.
create table __schema__.endpoint_flush (
  id uuid primary key,
  at timestamptz not null default now()
);
create index endpoint_flush_at on __schema__.endpoint_flush (at);
