-- Subscriptions whose recipients get rows of their own: the column of the result that says whose a row is.
create table svc.subscription_routings (
  subscription_id integer primary key references svc.subscriptions on delete cascade,
  column_name text not null,
  -- Who gets the rows that no route names; null: nobody.
  fallback_recipient_id integer,
  foreign key (subscription_id, fallback_recipient_id)
    references svc.subscription_recipients (subscription_id, recipient_id)
);

-- Who gets the rows with which value. A recipient that a route names is attached.
create table svc.subscription_routes (
  -- The place that a value is bound to when it is sealed.
  id text generated always as (subscription_id::text || '/' || no::text) stored primary key,
  subscription_id integer not null references svc.subscription_routings on delete cascade,
  no integer not null,
  value_sealed text not null,
  recipient_id integer not null,
  foreign key (subscription_id, recipient_id)
    references svc.subscription_recipients (subscription_id, recipient_id)
);
create index subscription_routes_recipient on svc.subscription_routes (subscription_id, recipient_id);

-- Rows that nobody got, of a run whose recipients get rows of their own; null of every other run.
alter table svc.runs add column unrouted_count bigint;
