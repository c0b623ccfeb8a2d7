import type { Executor, Tx } from '../../platform/db/index.ts';

/**
 * Returns SQL that selects the run in progress when slot `slot` of subscription `subscription` passed, as rows of
 * `svc.runs`. Runs of a subscription are sequential, so only the last run before the slot qualifies. Runs by hand, and
 * runs that wait for the end of quiet hours, do not qualify. The result for a passed slot does not change later.
 */
export const runUnderWay = (subscription: string, slot: string): string => `
  select b.* from (
    select * from svc.runs p where p.subscription_id = ${subscription} and p.origin = 'Schedule' and p.due_at < ${slot}
      and p.due_at > ${slot}::timestamptz - interval '2 days' order by p.due_at desc limit 1) b
  where b.started_at <= ${slot} and coalesce(b.held_at, b.finished_at, 'infinity') > ${slot}`;

/** The run that a slot overlaps, and the schedule. */
export type Overlap = {
  readonly runId: number;
  readonly runDueAt: Date;
  /** Duration of the run, up to now for an unfinished run. */
  readonly runMs: number;
  readonly isUnderWay: boolean;
  readonly cronExpression: string;
  readonly timeZone: string;
  /** The skipped slot is already recorded. */
  readonly isRecorded: boolean;
};

/**
 * Finds the run that a slot overlaps, and locks the subscription until the transaction ends. Returns undefined when the
 * slot overlaps no run or has its own run, and for a subscription that queues, is paused or archived.
 */
export async function lockOverlap(
  tx: Tx,
  subscriptionId: number,
  slotAt: Date,
): Promise<Overlap | undefined> {
  const { rows } = await tx.query<Overlap>({
    name: 'overlap-lock',
    text: `with locked as (
        select id, cron_expression, time_zone, overlap from svc.subscriptions
        where id = $1 and archived_at is null and paused_at is null for no key update),
      recorded as (select exists (select from svc.skipped_slots k
        where k.subscription_id = $1 and k.slot_at = $2) as "isRecorded")
      select b.id as "runId", b.due_at as "runDueAt", b.finished_at is null and b.held_at is null as "isUnderWay",
        (extract(epoch from coalesce(b.held_at, b.finished_at, now()) - b.started_at) * 1000)::float8 as "runMs",
        l.cron_expression as "cronExpression", l.time_zone as "timeZone", k."isRecorded"
      from locked l cross join recorded k cross join lateral (${runUnderWay('$1', '$2')}) b
      where (l.overlap = 'Skip' or k."isRecorded") and not exists (select from svc.runs r where r.subscription_id = $1 and r.due_at = $2 and r.origin = 'Schedule')`,
    values: [subscriptionId, slotAt],
  });
  return rows[0];
}

/** Returns the slots that passed during an earlier run, for a subscription that skips such slots. */
export async function overlappingSlots(
  executor: Executor,
  subscriptionId: number,
  slots: readonly Date[],
): Promise<Date[]> {
  const { rows } = await executor.query<{ slotAt: Date }>({
    name: 'overlap-slots',
    text: `select d.slot as "slotAt" from unnest($2::timestamptz[]) d (slot)
      where exists (select from svc.subscriptions s where s.id = $1 and s.overlap = 'Skip')
        and exists (${runUnderWay('$1', 'd.slot')})
      order by d.slot`,
    values: [subscriptionId, slots],
  });
  return rows.map(({ slotAt }) => slotAt);
}

/**
 * Adds a skipped slot to the record of its streak. Returns the record; undefined for the first slot of a streak.
 *
 * @param gapSecondsMax  A longer time without a skipped slot ends a streak.
 */
export async function extendStreak(
  tx: Tx,
  subscriptionId: number,
  slotAt: Date,
  gapSecondsMax: number,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'overlap-extend-streak',
    text: `update svc.missed_runs m set last_due_at = greatest(m.last_due_at, $2::timestamptz),
        missed_count = m.missed_count + 1
      where m.id = (select id from svc.missed_runs where subscription_id = $1 and reason = 'PreviousRunning'
          order by last_due_at desc limit 1)
        and m.last_due_at >= $2::timestamptz - $3 * interval '1 second' and m.first_due_at <= $2
      returning m.id`,
    values: [subscriptionId, slotAt, gapSecondsMax],
  });
  return rows[0]?.id;
}

/** Creates the record of a streak. */
export async function beginStreak(tx: Tx, subscriptionId: number, slotAt: Date): Promise<number> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'overlap-begin-streak',
    text: `insert into svc.missed_runs as m (subscription_id, first_due_at, last_due_at, missed_count, reason)
      values ($1, $2, $2, 1, 'PreviousRunning')
      on conflict (subscription_id, first_due_at) do update set reason = 'PreviousRunning' returning m.id`,
    values: [subscriptionId, slotAt],
  });
  const [record] = rows;
  if (!record) throw new Error('A record of missed runs was inserted without an id.');
  return record.id;
}

const retainedDays = 30;

/** Stores a skipped slot, and deletes slots too old for any repeated tick. */
export async function saveSkippedSlot(
  tx: Tx,
  subscriptionId: number,
  slotAt: Date,
  missedRunId: number,
): Promise<void> {
  await tx.query({
    name: 'overlap-save-slot',
    text: `with expired as (
        delete from svc.skipped_slots
        where subscription_id = $1 and slot_at < $2::timestamptz - $4 * interval '1 day')
      insert into svc.skipped_slots (subscription_id, slot_at, missed_run_id) values ($1, $2, $3)`,
    values: [subscriptionId, slotAt, missedRunId, retainedDays],
  });
}
