-- Contracts that fail can open tasks, with hours within which each is to be resolved (null: no such promise).
alter table svc.data_contracts
  add column create_tasks boolean not null default false,
  add column sla_hours integer check (sla_hours between 1 and 720);
alter table svc.tasks
  add constraint tasks_contract_id_fkey foreign key (contract_id) references svc.data_contracts;
create index tasks_contract on svc.tasks (contract_id, id desc) where contract_id is not null;
