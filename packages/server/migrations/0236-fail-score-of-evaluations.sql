-- Score below which the contract failed when the evaluation ended. Null for older rows and if the rules did not run.
alter table svc.contract_evaluations add column fail_score double precision;
