-- What destinations ask for with a failed delivery: to be left alone for a while, or for good.

alter table svc.deliveries
  -- Retry-After of the answer; null: it asked for nothing.
  add column retry_after_seconds integer check (retry_after_seconds between 0 and 86400);

alter table svc.notices drop constraint notices_kind_check;
alter table svc.notices
  -- RecipientGone: a destination answered 410.
  add constraint notices_kind_check check (kind in ('RunFailed', 'RunMissed', 'SubscriptionStopped', 'RecipientGone'));
