/** Kind of a watched schedule. */
export type WatchedKind = 'Subscription' | 'Contract';

/** SQL fragments for one kind: its table, and the conditions for a start. */
type WatchedSql = {
  readonly table: string;
  /** Its column in `svc.missed_runs`. */
  readonly column: string;
  /** Condition for the watched rows of the table. */
  readonly isWatched: string;
  /** Condition that `d.due` of subject `$1` is not missed, after its grace period of `$3` seconds. */
  readonly isStarted: string;
  /** Condition that a start due after `m.last_due_at` and before `$2` for subject `$1` occurred within `$5` seconds. */
  readonly hasStartedSince: string;
};

const inTime = (started: string, due: string, grace: string) =>
  `${started} <= ${due} + ${grace} * interval '1 second'`;

export const watchedKinds: Readonly<Record<WatchedKind, WatchedSql>> = {
  Subscription: {
    table: 'svc.subscriptions',
    column: 'subscription_id',
    isWatched: 'archived_at is null and paused_at is null',
    // A late run counts as a run. A skipped slot has its own record. A queued slot is not missed while earlier runs
    // are in progress.
    isStarted: `(exists (select from svc.runs r where r.subscription_id = $1 and r.origin = 'Schedule'
        and r.due_at = d.due and (r.started_at is not null or r.status <> 'Created'))
      or exists (select from svc.skipped_slots k where k.subscription_id = $1 and k.slot_at = d.due)
      or exists (select from svc.subscriptions s join svc.runs r on r.subscription_id = s.id
        where s.id = $1 and s.overlap = 'Queue' and r.origin = 'Schedule' and r.due_at < d.due
          and r.due_at > d.due - interval '2 days' and ${inTime('r.started_at', 'd.due', '$3')}
          and coalesce(r.held_at, r.finished_at, 'infinity') >= d.due))`,
    hasStartedSince: `exists (select from svc.runs r where r.subscription_id = $1 and r.origin = 'Schedule'
      and r.due_at > m.last_due_at and r.due_at < $2 and ${inTime('r.started_at', 'r.due_at', '$5')})`,
  },
  Contract: {
    table: 'svc.data_contracts',
    column: 'contract_id',
    isWatched: 'archived_at is null and is_enabled and cron_expression is not null',
    // A tick during an evaluation starts none, because the table is already being checked. An evaluation takes less
    // than a day.
    isStarted: `exists (select from svc.contract_evaluations e where e.contract_id = $1
      and e.created_time between d.due - interval '1 day' and d.due
      and ${inTime('e.started_at', 'd.due', '$3')} and (e.finished_at is null or e.finished_at >= d.due))`,
    hasStartedSince: `exists (select from svc.contract_evaluations e where e.contract_id = $1 and e.trigger = 'Schedule'
      and e.created_time > m.last_due_at and e.created_time < $2 and ${inTime('e.started_at', 'e.created_time', '$5')})`,
  },
};
