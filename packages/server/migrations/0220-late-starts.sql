-- A run that starts after its grace was counted as missed is taken from that count, which may become 0. The record
-- remains, so that further slots of the same outage are added to it.
alter table svc.missed_runs drop constraint missed_runs_missed_count_check;
alter table svc.missed_runs add constraint missed_runs_missed_count_check check (missed_count >= 0);
