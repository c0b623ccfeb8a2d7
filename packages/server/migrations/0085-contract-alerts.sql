-- How a data contract that tells OnChange tells (null: each evaluation that fails is told), and when nobody is told.
alter table svc.data_contracts
  add column alert jsonb,
  add column quiet_hours jsonb,
  add constraint data_contracts_alert check (
    alert_mode in ('EveryFailure', 'OnChange') and (alert_mode = 'OnChange') = (alert is not null));

-- An alert is of a subscription or of a data contract, which its evaluations move.
alter table svc.alert_states
  drop constraint alert_states_pkey,
  alter column subscription_id drop not null,
  add column contract_id integer references svc.data_contracts on delete cascade,
  add constraint alert_states_subject check (num_nonnulls(subscription_id, contract_id) = 1),
  add constraint alert_states_subscription unique (subscription_id),
  add constraint alert_states_contract unique (contract_id);
-- Of a contract the evaluation that moved it last.
alter table svc.alert_states rename column run_id to moved_by;

create index runs_contract_open on svc.runs (contract_id) where contract_id is not null and status = 'Created';
