-- A failed rule fails a new contract. Contracts that exist keep the score as their condition.
alter table svc.data_contracts
  add column fails_on text not null default 'Score' check (fails_on in ('AnyRule', 'Score'));
alter table svc.data_contracts alter column fails_on set default 'AnyRule';
-- Why a broken rule has no sample of its rows.
alter table svc.contract_rule_results add column sample_reason text;
