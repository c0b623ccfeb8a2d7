-- Readings of sources of documents, numbered per source. Any process may read a source, and an older reading must not
-- replace a newer one.

create table svc.document_readings (
  project_id integer not null references svc.projects,
  source text not null check (length(source) between 1 and 200),
  -- Number of the last reading that began.
  last_started bigint not null,
  -- Number of the last reading that was stored.
  last_stored bigint not null default 0,
  primary key (project_id, source),
  check (last_stored between 0 and last_started)
);
