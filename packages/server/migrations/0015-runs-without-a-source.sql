-- An empty list of sources says from now on that a run read none, so that callers who are confined to projects may
-- see it by its project; null is a run that was kept without its sources, and stays hidden from them.

alter table svc.run_counts_open alter column data_source_ids drop not null;
alter table svc.run_days alter column data_source_ids drop not null;
alter table svc.run_totals drop constraint run_totals_pkey;
alter table svc.run_totals alter column data_source_ids drop not null;
alter table svc.run_totals add constraint run_totals_key
  unique nulls not distinct (day, project_id, data_source_ids, status);

update svc.runs set data_source_ids = null where data_source_ids = '{}';
update svc.run_counts_open set data_source_ids = null where data_source_ids = '{}';
update svc.run_days set data_source_ids = null where data_source_ids = '{}';
update svc.run_totals set data_source_ids = null where data_source_ids = '{}';
