-- What a run's time went into: the request that started it, its statements, its masking, and the tasks that it changed.

alter table svc.runs
  add column request jsonb,
  add column execution jsonb;

-- The run that a task's entry comes from; runs go by months, so that there is no foreign key.
alter table svc.task_events add column run_id bigint;
create index task_events_run on svc.task_events (run_id) where run_id is not null;
