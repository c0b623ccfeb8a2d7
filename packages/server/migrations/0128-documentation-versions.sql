-- What the documentation of a project was: a version for each change of the text of some sections.

create table svc.documentation_versions (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  number integer not null check (number >= 1),
  -- `Earlier`: as it stood when versions began to be kept.
  cause text not null check (cause in ('Generated', 'Written', 'Taken', 'Patched', 'Earlier')),
  made_by_user_id integer references svc.users,
  created_time timestamptz not null default now(),
  unique (project_id, number)
);

-- The sections that a version changed, as they were from then on.
create table svc.documentation_version_sections (
  version_id integer not null references svc.documentation_versions on delete cascade,
  kind text not null,
  content text not null,
  provenance text not null check (provenance in ('Facts', 'Model', 'Person')),
  added_lines integer not null check (added_lines >= 0),
  removed_lines integer not null check (removed_lines >= 0),
  primary key (version_id, kind)
);

insert into svc.documentation_versions (project_id, number, cause)
  select distinct project_id, 1, 'Earlier' from svc.documentation_sections;
insert into svc.documentation_version_sections (version_id, kind, content, provenance, added_lines, removed_lines)
  select v.id, s.kind, s.content, s.provenance,
    case when s.content = '' then 0 else array_length(string_to_array(s.content, E'\n'), 1) end, 0
  from svc.documentation_sections s join svc.documentation_versions v using (project_id);
