-- The slot of the schedule that a think or an evaluation of golden examples was started for: a retried or requeued tick
-- starts no second one. Null for what a user or another event started.
alter table svc.ai_thinks add column slot_at timestamptz;
create unique index ai_thinks_slot on svc.ai_thinks (actor_id, slot_at) where slot_at is not null;
alter table svc.eval_runs add column slot_at timestamptz;
create unique index eval_runs_slot on svc.eval_runs (project_id, slot_at) where slot_at is not null;
