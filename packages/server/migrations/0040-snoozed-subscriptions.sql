-- Until when a subscription's runs tell nobody; past times mean nothing.
alter table svc.subscriptions
  add column snoozed_until timestamptz,
  add column snooze_reason text check (length(snooze_reason) <= 500),
  add constraint subscriptions_snooze check (snooze_reason is null or snoozed_until is not null);
