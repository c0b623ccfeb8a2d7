import type { Executor, Tx } from '../../platform/db/index.ts';

/**
 * Selects the run that was under way when slot `slot` of subscription `subscription` passed, as rows of `svc.runs`.
 * Runs of a subscription take turns, so that it can only be the last one before the slot. A run by hand, and one that
 * quiet hours hold, are not under way. What was true when the slot passed stays true, whenever it is read.
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
  /** How long the run took, or has taken so far. */
  readonly runMs: number;
  readonly isUnderWay: boolean;
  readonly cronExpression: string;
  readonly timeZone: string;
  /** The slot was recorded as skipped before. */
  readonly isRecorded: boolean;
};

/**
 * Finds the run that a slot overlaps, and locks the subscription until the transaction ends. Undefined where the slot
 * overlaps none, has a run of its own, or belongs to a subscription that queues, is paused or archived.
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

/** Those of the slots that passed while the run before was under way, of a subscription that skips them. */
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
 * Adds a skipped slot to the record of its streak. Returns the record; undefined where the streak is new.
 *
 * @param gapSecondsMax  A streak ends when no slot was skipped for longer.
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

/** Begins the record of a streak. */
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

/** Stores that a slot is skipped, and drops what is too old for any tick to come back to. */
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
