-- When the last of a day's runs failed: with `last_good_at` it tells how the last judged run ended.

alter table svc.run_days add column last_failed_at timestamptz;

update svc.run_days d set last_failed_at = f.last_failed_at
from (
  select (due_at at time zone 'UTC')::date as day, subscription_id, contract_id, query_id, project_id, data_source_ids,
    max(coalesce(finished_at, created_time)) as last_failed_at
  from svc.runs where status in ('Failed', 'Timeout') group by 1, 2, 3, 4, 5, 6) f
where d.day = f.day and d.project_id = f.project_id and d.subscription_id is not distinct from f.subscription_id
  and d.contract_id is not distinct from f.contract_id and d.query_id is not distinct from f.query_id
  and d.data_source_ids is not distinct from f.data_source_ids;
