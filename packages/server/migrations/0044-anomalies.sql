-- How the counts of a subscription are watched; null: they are not.
alter table svc.subscriptions add column anomaly jsonb;
alter table svc.subscriptions
  drop constraint subscriptions_notification_trigger_check,
  add constraint subscriptions_notification_trigger_check
    check (notification_trigger in ('OnResultCountChange', 'Always', 'OnResultCountIncrease', 'OnAnomaly'));

-- That a run's count was out of the ordinary stands in the run itself: it goes when the run goes, and is there once.
alter table svc.runs
  add column anomaly_direction text check (anomaly_direction in ('Up', 'Down')),
  add column anomaly_severity text check (anomaly_severity in ('Low', 'Medium', 'High', 'Critical')),
  add column anomaly_explanation text,
  add column anomaly_verdict text check (anomaly_verdict in ('Expected', 'Real')),
  add column anomaly_verdict_by_user_id integer references svc.users,
  add column anomaly_verdict_at timestamptz,
  add constraint runs_anomaly check (
    num_nonnulls(anomaly_direction, anomaly_severity, anomaly_explanation) in (0, 3)
    and (anomaly_verdict is null or anomaly_direction is not null));
create index runs_anomaly on svc.runs (subscription_id, due_at desc) where anomaly_direction is not null;
