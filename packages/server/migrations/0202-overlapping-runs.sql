-- Whether a slot that passes while the run before it is under way is skipped, or waits its turn.
alter table svc.subscriptions add column overlap text not null default 'Skip'
  constraint subscriptions_overlap_check check (overlap in ('Skip', 'Queue'));

-- When quiet hours began to hold the message of a run: it was under way until then. It remains when the run resumes.
alter table svc.runs add column held_at timestamptz;

alter table svc.missed_runs add column reason text not null default 'NotStarted'
  constraint missed_runs_reason_check check (reason in ('NotStarted', 'PreviousRunning'));

-- Slots that were skipped because the run before was under way, for 30 days: a slot is counted once, and a tick that is
-- retried or requeued makes no run of it.
create table svc.skipped_slots (
  subscription_id integer not null references svc.subscriptions (id),
  slot_at timestamptz not null,
  missed_run_id bigint not null references svc.missed_runs (id) on delete cascade,
  primary key (subscription_id, slot_at)
);
create index skipped_slots_missed_run on svc.skipped_slots (missed_run_id);
