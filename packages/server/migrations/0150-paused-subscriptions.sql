-- Since when the schedule of a subscription stands still; null: it fires. An archived one is not paused.
alter table svc.subscriptions
  add column paused_at timestamptz,
  add constraint subscriptions_pause check (paused_at is null or archived_at is null);
