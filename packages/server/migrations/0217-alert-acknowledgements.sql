-- A user who has seen a firing alert acknowledges it: reminders stop until the alert clears.
alter table svc.alert_states
  add acknowledged_at timestamptz,
  add acknowledged_by_user_id integer references svc.users (id),
  add acknowledgement_note text check (length(acknowledgement_note) <= 500),
  add constraint alert_states_acknowledged check (
    case when acknowledged_at is null then num_nonnulls(acknowledged_by_user_id, acknowledgement_note) = 0
      else state in ('Firing', 'Recovering') end);
create index alert_states_firing on svc.alert_states (since) where state in ('Firing', 'Recovering');
