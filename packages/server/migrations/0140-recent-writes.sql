-- Who has changed something a moment ago: their reads go to the primary, also in another process. Kept for seconds, so
-- without a log: it is empty after a crash, and not on a standby.
create unlogged table svc.recent_writes (
  caller text primary key,
  written_at timestamptz not null
);
