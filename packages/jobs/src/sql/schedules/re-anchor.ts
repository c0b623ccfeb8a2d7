import { type Sql, statement } from '../statement.ts';

/** Schedule whose next due time is more than a minute in the future. */
export type FarSchedule = {
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly nextDueAt: Date;
  /** Time of PostgreSQL's clock. */
  readonly now: Date;
  /** Time by which the newest tick is in the future. */
  readonly aheadMs: number;
};

const far = statement(
  'far_schedules',
  (schema) => `
with moment as (select coalesce($1::timestamptz, now()) as t),
-- A tick fires when its time has come: one that is still to come takes a clock that was set back.
ahead as (
  select max(s.last_due_at) as until from ${schema}.schedule s, moment m where s.last_due_at > m.t + interval '1 second'
)
select s.key, s.cron, s.time_zone as "timeZone", s.next_due_at as "nextDueAt", m.t as now,
  (extract(epoch from a.until - m.t) * 1000)::float8 as "aheadMs"
from ${schema}.schedule s, moment m, ahead a
where a.until is not null and s.next_due_at > m.t + interval '1 minute'
order by s.next_due_at`,
);

/** Returns the schedules that may need a new due time because the clock was set back; none unless a tick is in the future. */
export const readFarSchedules = (sql: Sql): Promise<FarSchedule[]> =>
  sql.db.run<FarSchedule>(far(sql), [sql.now()]);

export type Anchor = { readonly key: string; readonly stoodAt: Date; readonly nextDueAt: Date };

// Slots that fired while the clock was ahead may fire again, up to the newest of them. Afterwards no last tick is in
// the future, so each clock step is handled once.
const reAnchor = statement(
  'reanchor_schedules',
  (schema) => `
with moment as (select coalesce($4::timestamptz, now()) as t),
wanted as (
  select * from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as w (key, stood_at, next_due_at)
),
moved as (
  update ${schema}.schedule s set next_due_at = w.next_due_at, updated_at = m.t,
    refired_until = greatest(s.refired_until, s.last_due_at), last_due_at = least(s.last_due_at, m.t)
  from moment m, wanted w where s.key = w.key and s.next_due_at = w.stood_at
  returning s.key
),
others as (
  update ${schema}.schedule s set
    refired_until = greatest(s.refired_until, s.last_due_at), last_due_at = least(s.last_due_at, m.t)
  from moment m
  where s.last_due_at > m.t + interval '1 second' and not exists (select from wanted w where w.key = s.key)
)
select key from moved`,
  { isPrepared: false },
);

/**
 * Sets the next due time of schedules, except where another process has changed it.
 *
 * @returns the keys of the changed schedules.
 */
export async function reAnchorSchedules(sql: Sql, anchors: readonly Anchor[]): Promise<string[]> {
  const rows = await sql.db.run<{ key: string }>(reAnchor(sql), [
    anchors.map(({ key }) => key),
    anchors.map(({ stoodAt }) => stoodAt),
    anchors.map(({ nextDueAt }) => nextDueAt),
    sql.now(),
  ]);
  return rows.map(({ key }) => key);
}
