-- Whether the process fires schedules and tidies up for all, beside or without taking jobs. Processes of earlier versions
-- all do.
alter table __schema__.server add column is_scheduler boolean not null default true;
