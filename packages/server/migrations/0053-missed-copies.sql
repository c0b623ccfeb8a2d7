-- Ticks of migration jobs that made no copy in time, and that they were told of.

alter table svc.migration_jobs
  -- The next due time that is watched; null: not looked at since its schedule was set; infinity: it never fires.
  add column watch_due_at timestamptz,
  -- Of the last outage: its first and last due time, and how many there were.
  add column missed_first_due_at timestamptz,
  add column missed_last_due_at timestamptz,
  add column missed_count integer not null default 0;
create index migration_jobs_watched on svc.migration_jobs (watch_due_at nulls first, id)
  where archived_at is null and is_enabled and cron_expression is not null;
