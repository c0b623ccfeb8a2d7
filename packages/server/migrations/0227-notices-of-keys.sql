-- The owner of an API key that ends soon gets a notice.
alter table svc.notices
  drop constraint notices_subject_kind_check,
  add constraint notices_subject_kind_check check (subject_kind in ('Subscription', 'Query', 'Contract', 'Task',
    'MigrationJob', 'AiActor', 'EvaluationSchedule', 'ApiKey', 'Settings'));
