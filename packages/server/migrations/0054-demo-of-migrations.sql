-- A migration job can belong to the demo.

alter table svc.migration_jobs add column is_demo boolean not null default false;
