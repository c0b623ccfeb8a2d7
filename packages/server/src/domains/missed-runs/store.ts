import type { MissedReason } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { type WatchedKind, watchedKinds } from './watched-kinds.ts';

/** A subject whose next watched due time has passed or is unknown. */
export type Watched = {
  readonly kind: WatchedKind;
  readonly id: number;
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly watchDueAt: Date | null;
  /** Current time of PostgreSQL. */
  readonly now: Date;
};

/** Due times of one outage. */
export type MissedRuns = {
  readonly id: number;
  readonly firstDueAt: Date;
  readonly lastDueAt: Date;
  readonly missedCount: number;
  readonly noticedAt: Date;
  readonly reason: MissedReason;
};

/** Returns subjects of a kind to check, longest waiting first. */
export async function readWatched(
  executor: Executor,
  kind: WatchedKind,
  graceSeconds: number,
  limit: number,
): Promise<Watched[]> {
  const { table, isWatched } = watchedKinds[kind];
  const { rows } = await executor.query<Watched>({
    name: `missed-read-watched-${kind}`,
    text: `select '${kind}' as kind, id, cron_expression as "cronExpression", time_zone as "timeZone",
        watch_due_at as "watchDueAt", now() as now
      from ${table}
      where ${isWatched} and (watch_due_at is null or watch_due_at <= now() - $1 * interval '1 second')
      order by watch_due_at nulls first, id limit $2`,
    values: [graceSeconds, limit],
  });
  return rows;
}

/** Advances the watched due time. Returns false when another process advanced it meanwhile. */
export async function moveWatch(
  tx: Tx,
  { kind, id, watchDueAt }: Watched,
  nextDueAt: Date | null,
): Promise<boolean> {
  const { table, isWatched } = watchedKinds[kind];
  const { rowCount } = await tx.query({
    name: `missed-move-watch-${kind}`,
    text: `update ${table} set watch_due_at = coalesce($3::timestamptz, 'infinity')
      where id = $1 and ${isWatched} and watch_due_at is not distinct from $2`,
    values: [id, watchDueAt, nextDueAt],
  });
  return rowCount === 1;
}

/** Returns the due times that are not missed: their run or evaluation has started, or no start is necessary. */
export async function notMissed(
  executor: Executor,
  { kind, id }: Pick<Watched, 'kind' | 'id'>,
  dueTimes: readonly Date[],
  graceSeconds: number,
): Promise<Date[]> {
  const { rows } = await executor.query<{ dueAt: Date }>({
    name: `missed-not-missed-${kind}`,
    text: `select d.due as "dueAt" from unnest($2::timestamptz[]) d (due) where ${watchedKinds[kind].isStarted}`,
    values: [id, dueTimes, graceSeconds],
  });
  return rows.map((row) => row.dueAt);
}

export type NewlyMissed = Pick<Watched, 'kind' | 'id'> & {
  readonly firstDueAt: Date;
  readonly lastDueAt: Date;
  readonly missedCount: number;
};

/** Extends the current outage. Returns false when there is no outage, or when a start in time has ended it. */
export async function extendMissed(tx: Tx, missed: NewlyMissed, graceSeconds: number): Promise<boolean> {
  const { column, hasStartedSince } = watchedKinds[missed.kind];
  const { rowCount } = await tx.query(
    `update svc.missed_runs m set last_due_at = $3, missed_count = m.missed_count + $4
     where m.id = (select id from svc.missed_runs where ${column} = $1 and reason = 'NotStarted'
         order by last_due_at desc limit 1)
       and not ${hasStartedSince}`,
    [missed.id, missed.firstDueAt, missed.lastDueAt, missed.missedCount, graceSeconds],
  );
  return rowCount === 1;
}

export async function insertMissed(tx: Tx, missed: NewlyMissed): Promise<void> {
  const { column } = watchedKinds[missed.kind];
  await tx.query(
    `insert into svc.missed_runs (${column}, first_due_at, last_due_at, missed_count) values ($1, $2, $3, $4)
     on conflict (${column}, first_due_at) do nothing`,
    [missed.id, missed.firstDueAt, missed.lastDueAt, missed.missedCount],
  );
}

/** Returns outages of a subscription, newest first. */
export async function listMissed(
  executor: Executor,
  subscriptionId: number,
  page: PageRequest,
): Promise<{ rows: MissedRuns[]; totalCount: number }> {
  const { rows: counted } = await executor.query<{ count: number }>(
    'select count(*) from svc.missed_runs where subscription_id = $1 and missed_count > 0',
    [subscriptionId],
  );
  const { rows } = await executor.query<MissedRuns>(
    `select id, first_due_at as "firstDueAt", last_due_at as "lastDueAt", missed_count as "missedCount",
       noticed_at as "noticedAt", reason
     from svc.missed_runs where subscription_id = $1 and missed_count > 0 order by ${orderBy(page)} limit $2 offset $3`,
    [subscriptionId, page.limit, page.offset],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}
