-- With which evaluations a contract began to fail, and held again; null: it stood as before, or nothing was judged.
alter table svc.contract_evaluations
  add column change text check (change in ('Failed', 'Recovered'));
create index contract_evaluations_change on svc.contract_evaluations (finished_at desc) where change is not null;
