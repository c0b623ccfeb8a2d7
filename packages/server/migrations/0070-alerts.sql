-- How a subscription with the trigger WhileRows tells; every other one has none.
alter table svc.subscriptions add column alert jsonb;
alter table svc.subscriptions
  drop constraint subscriptions_notification_trigger_check,
  add constraint subscriptions_notification_trigger_check check (
    notification_trigger in ('OnResultCountChange', 'Always', 'OnResultCountIncrease', 'OnAnomaly', 'WhileRows')),
  add constraint subscriptions_alert check ((notification_trigger = 'WhileRows') = (alert is not null));

-- How the alert of a subscription stands, what its recipients know of it, and the run that moved it last: each run
-- moves it once.
create table svc.alert_states (
  subscription_id integer primary key references svc.subscriptions on delete cascade,
  state text not null check (state in ('Ok', 'Pending', 'Firing', 'Recovering')),
  streak integer not null default 0 check (streak >= 0),
  since timestamptz not null,
  told_state text not null default 'Ok' check (told_state in ('Ok', 'Firing')),
  told_at timestamptz,
  run_id bigint,
  constraint alert_states_told check ((told_state = 'Firing') = (told_at is not null))
);

-- What a run tells of the alert; null: nothing.
alter table svc.runs
  add column alert_news text check (alert_news in ('Opened', 'StillFiring', 'Recovered'));
