-- Why a failed evaluation failed: a rule, a critical rule, or the score. Null for other verdicts and for older rows.
alter table svc.contract_evaluations
  add column failed_because text check (failed_because in ('RuleFailed', 'CriticalRuleFailed', 'ScoreTooLow'));
