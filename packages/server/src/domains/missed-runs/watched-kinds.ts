/** What has a schedule that is watched. */
export type WatchedKind = 'Subscription' | 'Contract';

/** Where a kind stands, and how it is known that something of it started; each is a piece of SQL. */
type WatchedSql = {
  readonly table: string;
  /** Its column in `svc.missed_runs`. */
  readonly column: string;
  /** Which rows of the table are watched. */
  readonly isWatched: string;
  /** Whether `d.due` of subject `$1` is not missed; its grace of `$3` seconds has passed. */
  readonly isStarted: string;
  /** Whether something due after `m.last_due_at` and before `$2` of subject `$1` started within `$5` seconds. */
  readonly hasStartedSince: string;
};

const inTime = (started: string, due: string, grace: string) =>
  `${started} <= ${due} + ${grace} * interval '1 second'`;

export const watchedKinds: Readonly<Record<WatchedKind, WatchedSql>> = {
  Subscription: {
    table: 'svc.subscriptions',
    column: 'subscription_id',
    isWatched: 'archived_at is null and paused_at is null',
    // A run that started late counts as a run. A skipped slot has a record of its own. One that queues is not missed
    // while the runs before it are under way.
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
    // A tick while an evaluation runs makes none of its own: the table is being looked at. No evaluation takes a day.
    isStarted: `exists (select from svc.contract_evaluations e where e.contract_id = $1
      and e.created_time between d.due - interval '1 day' and d.due
      and ${inTime('e.started_at', 'd.due', '$3')} and (e.finished_at is null or e.finished_at >= d.due))`,
    hasStartedSince: `exists (select from svc.contract_evaluations e where e.contract_id = $1 and e.trigger = 'Schedule'
      and e.created_time > m.last_due_at and e.created_time < $2 and ${inTime('e.started_at', 'e.created_time', '$5')})`,
  },
};
