-- Names of records in files: made from the name of a record when it is first needed, and kept from then on.
create table svc.definition_slugs (
  kind text not null
    check (kind in ('DataSource', 'Recipient', 'Project', 'Query', 'Contract', 'Subscription')),
  record_id integer not null,
  -- Null for kinds outside projects.
  project_id integer,
  slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$'),
  primary key (kind, record_id),
  constraint definition_slugs_slug unique nulls not distinct (kind, project_id, slug)
);

-- Records that were applied from files, and as what.
create table svc.managed_objects (
  kind text not null,
  record_id integer not null,
  -- Names the folder.
  manager text not null,
  -- HMAC of each member as it stood when it was applied, by its name: what differs now was changed by somebody else.
  applied jsonb not null,
  -- Names of secrets that the file refers to, by JSON pointer, each with an HMAC of the value.
  secrets jsonb not null default '{}',
  applied_at timestamptz not null default now(),
  primary key (kind, record_id),
  foreign key (kind, record_id) references svc.definition_slugs on delete cascade on update cascade
);
create index managed_objects_manager on svc.managed_objects (manager);

-- What applying files would change, for an hour.
create table svc.definition_plans (
  id uuid primary key,
  caller text not null,
  plan_sealed text not null,
  created_at timestamptz not null default now(),
  applied_at timestamptz
);
create index definition_plans_created on svc.definition_plans (created_at);

-- Live records that have slugs, with what a slug is made of.
create view svc.definition_records as
  select 'DataSource' as kind, id as record_id, null::integer as project_id, name
    from svc.data_sources where archived_at is null
  union all
  select 'Recipient', id, null, name from svc.recipients where archived_at is null
  union all
  select 'Project', id, null, name from svc.projects where archived_at is null
  union all
  select 'Query', q.id, q.project_id, q.name
    from svc.queries q join svc.projects p on p.id = q.project_id
    where q.archived_at is null and p.archived_at is null
  union all
  select 'Contract', c.id, c.project_id, c.name
    from svc.data_contracts c join svc.projects p on p.id = c.project_id
    where c.archived_at is null and p.archived_at is null
  union all
  select 'Subscription', s.id, q.project_id, q.name
    from svc.subscriptions s join svc.queries q on q.id = s.query_id join svc.projects p on p.id = q.project_id
    where s.archived_at is null and q.archived_at is null and p.archived_at is null;
