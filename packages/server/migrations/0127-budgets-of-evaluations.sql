-- An evaluation has a budget of its own, whatever days and months it goes through.
alter table svc.llm_budgets
  drop constraint llm_budgets_scope_check,
  add constraint llm_budgets_scope_check
    check (scope in ('ServiceMonth', 'UserDay', 'ActorMonth', 'EvalRun'));
alter table svc.llm_calls add column eval_run_id integer references svc.eval_runs on delete set null;
create index llm_calls_eval_run on svc.llm_calls (eval_run_id) where eval_run_id is not null;
