import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

/** A subscription whose next watched due time has passed, or is not known yet. */
export type Watched = {
  readonly subscriptionId: number;
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly watchDueAt: Date | null;
  /** PostgreSQL's time. */
  readonly now: Date;
};

/** Due times of one outage. */
export type MissedRuns = {
  readonly id: number;
  readonly firstDueAt: Date;
  readonly lastDueAt: Date;
  readonly missedCount: number;
  readonly noticedAt: Date;
};

/** Subscriptions to look at, those that wait longest first. */
export async function readWatched(
  executor: Executor,
  graceSeconds: number,
  limit: number,
): Promise<Watched[]> {
  const { rows } = await executor.query<Watched>({
    name: 'missed-read-watched',
    text: `select s.id as "subscriptionId", s.cron_expression as "cronExpression",
        s.time_zone as "timeZone", s.watch_due_at as "watchDueAt", now() as now
      from svc.subscriptions s
      where s.archived_at is null
        and (s.watch_due_at is null or s.watch_due_at <= now() - $1 * interval '1 second')
      order by s.watch_due_at nulls first, s.id limit $2`,
    values: [graceSeconds, limit],
  });
  return rows;
}

/** Moves the watched due time on; false when somebody else did meanwhile. */
export async function moveWatch(tx: Tx, watched: Watched, nextDueAt: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'missed-move-watch',
    text: `update svc.subscriptions set watch_due_at = coalesce($3::timestamptz, 'infinity')
      where id = $1 and archived_at is null and watch_due_at is not distinct from $2`,
    values: [watched.subscriptionId, watched.watchDueAt, nextDueAt],
  });
  return rowCount === 1;
}

/** Those of the due times whose run started in time. */
export async function startedInTime(
  executor: Executor,
  subscriptionId: number,
  dueTimes: readonly Date[],
  graceSeconds: number,
): Promise<Date[]> {
  const { rows } = await executor.query<{ dueAt: Date }>({
    name: 'missed-started-in-time',
    text: `select due_at as "dueAt" from svc.runs
      where subscription_id = $1 and origin = 'Schedule' and due_at = any($2::timestamptz[])
        and started_at <= due_at + $3 * interval '1 second'`,
    values: [subscriptionId, dueTimes, graceSeconds],
  });
  return rows.map((row) => row.dueAt);
}

export type NewlyMissed = {
  readonly subscriptionId: number;
  readonly firstDueAt: Date;
  readonly lastDueAt: Date;
  readonly missedCount: number;
};

/** Adds to the outage that is still going on: no run has started in time since. Returns whether there is one. */
export async function extendMissed(tx: Tx, missed: NewlyMissed, graceSeconds: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.missed_runs m set last_due_at = $3, missed_count = m.missed_count + $4
     where m.id = (select id from svc.missed_runs where subscription_id = $1 order by last_due_at desc limit 1)
       and not exists (select from svc.runs r
         where r.subscription_id = $1 and r.origin = 'Schedule' and r.due_at > m.last_due_at and r.due_at < $2
           and r.started_at <= r.due_at + $5 * interval '1 second')`,
    [missed.subscriptionId, missed.firstDueAt, missed.lastDueAt, missed.missedCount, graceSeconds],
  );
  return rowCount === 1;
}

export async function insertMissed(tx: Tx, missed: NewlyMissed): Promise<void> {
  await tx.query(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count) values ($1, $2, $3, $4)
     on conflict (subscription_id, first_due_at) do nothing`,
    [missed.subscriptionId, missed.firstDueAt, missed.lastDueAt, missed.missedCount],
  );
}

/** Outages of a subscription, newest first. */
export async function listMissed(
  executor: Executor,
  subscriptionId: number,
  page: PageRequest,
): Promise<{ rows: MissedRuns[]; totalCount: number }> {
  const { rows: counted } = await executor.query<{ count: number }>(
    'select count(*) from svc.missed_runs where subscription_id = $1',
    [subscriptionId],
  );
  const { rows } = await executor.query<MissedRuns>(
    `select id, first_due_at as "firstDueAt", last_due_at as "lastDueAt", missed_count as "missedCount",
       noticed_at as "noticedAt"
     from svc.missed_runs where subscription_id = $1 order by ${orderBy(page)} limit $2 offset $3`,
    [subscriptionId, page.limit, page.offset],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}
