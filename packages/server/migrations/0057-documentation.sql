-- Documentation of a project: one section of each kind, made from what is known or written by a person.

create table svc.documentation_sections (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  kind text not null check (kind in ('DataModel', 'DataFlows', 'CodeLineage', 'DataQuality')),
  content text not null,
  provenance text not null check (provenance in ('Facts', 'Person')),
  -- What was generated since a person wrote the section: it waits beside their text.
  proposed_content text,
  generated_at timestamptz,
  edited_by_user_id integer references svc.users,
  edited_at timestamptz,
  version integer not null default 1,
  unique (project_id, kind),
  check ((provenance = 'Person') = (edited_at is not null)),
  check (proposed_content is null or provenance = 'Person')
);
