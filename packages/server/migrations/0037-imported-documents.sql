-- Documents that the host brings into projects: files of a configured folder, or texts of its own.

create table svc.imported_documents (
  id integer generated always as identity primary key,
  project_id integer not null references svc.projects,
  source text not null check (length(source) between 1 and 200),
  path text not null check (length(path) between 1 and 400),
  title text not null check (length(title) between 1 and 400),
  content text not null,
  content_hash bytea not null,
  byte_length integer not null,
  imported_at timestamptz not null default now(),
  archived_at timestamptz,
  unique (project_id, source, path)
);
create index imported_documents_live on svc.imported_documents (project_id, (lower(title))) where archived_at is null;
