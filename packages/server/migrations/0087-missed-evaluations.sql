-- Evaluations of data contracts that were due and did not start, watched as runs are.
alter table svc.data_contracts
  -- The next due time that is watched; null: not looked at since its schedule was set; infinity: it never fires.
  add column watch_due_at timestamptz;
create index data_contracts_watched on svc.data_contracts (watch_due_at nulls first, id)
  where archived_at is null and is_enabled and cron_expression is not null;

-- Due times of one outage, of a subscription or of a contract.
alter table svc.missed_runs
  alter column subscription_id drop not null,
  add column contract_id integer references svc.data_contracts,
  add constraint missed_runs_subject check (num_nonnulls(subscription_id, contract_id) = 1),
  add constraint missed_runs_contract unique (contract_id, first_due_at);
