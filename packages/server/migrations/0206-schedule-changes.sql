-- Slots before this moment are not judged: the schedule was paused, archived or different. Null: unchanged since creation.
alter table svc.subscriptions add column schedule_changed_at timestamptz;
alter table svc.data_contracts add column schedule_changed_at timestamptz;
-- Earlier changes have no record of their own; the last change of any kind is the latest moment at which one happened.
update svc.subscriptions set schedule_changed_at = updated_at where updated_at > created_time;
update svc.data_contracts set schedule_changed_at = updated_at where updated_at > created_time;
