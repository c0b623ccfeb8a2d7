-- Lists as people like to see them: what narrows and sorts them, by a name of their own.
create table svc.saved_views (
  id integer generated always as identity primary key,
  user_id integer not null references svc.users on delete cascade,
  -- Name of the list, as its page has it.
  list text not null,
  name text not null,
  -- What stands behind the question mark of the list's address.
  search text not null,
  created_time timestamptz not null default now()
);

create unique index saved_views_name on svc.saved_views (user_id, list, lower(name));
