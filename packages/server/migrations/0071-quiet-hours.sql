-- When a subscription tells nobody, and holds what it has to tell; null: never.
alter table svc.subscriptions add column quiet_hours jsonb;

create index runs_held on svc.runs (subscription_id) where held_until is not null and status = 'Created';
