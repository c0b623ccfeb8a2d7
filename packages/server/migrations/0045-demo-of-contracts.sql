-- A data contract can belong to the demo.
alter table svc.data_contracts add column is_demo boolean not null default false;
