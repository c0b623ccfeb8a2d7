-- What happened to a query and made no version of it, and who did it.

create table svc.query_changes (
  id bigint generated always as identity primary key,
  query_id integer not null references svc.queries,
  kind text not null check (kind in ('Locked', 'Unlocked')),
  by_user_id integer references svc.users,
  at timestamptz not null default now()
);
create index query_changes_query on svc.query_changes (query_id, at);

insert into svc.query_changes (query_id, kind, by_user_id, at)
  select id, 'Locked', locked_by_user_id, locked_at from svc.queries where is_locked and locked_at is not null;

-- Long parts are compared by their hashes: a list says what each version changed without reading its statements.
create function svc.text_hash(value text) returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(value, 'UTF8')), 'hex')
$$;
alter table svc.query_versions
  add column steps_hash text not null generated always as (svc.text_hash(steps::text)) stored,
  add column final_query_hash text generated always as (svc.text_hash(final_query)) stored,
  add column parameters_hash text not null
    generated always as (svc.text_hash(svc.normal_query_parameters(parameters)::text)) stored;
