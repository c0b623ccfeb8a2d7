-- Subscription that a subscription replaced. Null: it replaced none. The audit log names the replacements of older rows.
alter table svc.subscriptions
  add column replaces_id integer references svc.subscriptions,
  add constraint subscriptions_replaces check (replaces_id < id);

update svc.subscriptions s set replaces_id = p.id
  from svc.audit_events e join svc.subscriptions p on p.id = (e.detail ->> 'replaces')::int
  where e.event = 'subscriptions.subscription_created' and e.detail ? 'replaces'
    and e.subject_kind = 'subscription' and e.subject_id = s.id and p.id < s.id;
