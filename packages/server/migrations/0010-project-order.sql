-- The list of projects in its own order stops after a page instead of sorting all of them.
create index projects_by_creation on svc.projects (created_time desc nulls last, id desc nulls last)
  where archived_at is null;
