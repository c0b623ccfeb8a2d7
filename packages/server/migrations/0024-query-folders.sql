-- Folders of queries: each project has a tree of its own, since one for all would show names across projects.

create table svc.query_folders (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  parent_id integer,
  name text not null check (name <> '' and position('/' in name) = 0),
  created_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint query_folders_own unique (project_id, id),
  constraint query_folders_parent foreign key (project_id, parent_id) references svc.query_folders (project_id, id),
  check (parent_id <> id)
);
create unique index query_folders_name on svc.query_folders (project_id, coalesce(parent_id, 0), lower(name));
create index query_folders_parent on svc.query_folders (parent_id);

-- The pair of columns keeps a query out of another project's folders, whoever writes it.
alter table svc.queries
  add column folder_id integer,
  add constraint queries_folder foreign key (project_id, folder_id) references svc.query_folders (project_id, id);
create index queries_folder on svc.queries (folder_id) where folder_id is not null;

-- Names of a folder and of those above it, the topmost first.
create function svc.query_folder_names(folder_id integer) returns text[] language sql stable strict as $$
  with recursive up as (
    select f.parent_id, array[f.name] as names from svc.query_folders f where f.id = folder_id
    union all
    select p.parent_id, p.name || up.names from svc.query_folders p join up on p.id = up.parent_id)
  select names from up where parent_id is null
$$;

-- A folder and those below it, with the number of steps down to each.
create function svc.query_folders_below(folder_id integer) returns table (id integer, steps integer)
language sql stable strict as $$
  with recursive below as (
    select f.id, 0 as steps from svc.query_folders f where f.id = folder_id
    union all
    select c.id, below.steps + 1 from svc.query_folders c join below on c.parent_id = below.id)
  select below.id, below.steps from below
$$;

alter table svc.query_changes drop constraint query_changes_kind_check;
alter table svc.query_changes
  add constraint query_changes_kind_check check (kind in ('Locked', 'Unlocked', 'Moved'));
