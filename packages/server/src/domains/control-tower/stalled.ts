import { type RawBuilder, sql } from 'kysely';
import { type DueSlot, slotTable } from './due-slots.ts';

/** Maximum duration of a run or an evaluation. An older start counts as ended. */
const longestStart = sql`interval '1 day'`;

const hasLiveLease = sql`exists (select from svc_jobs.job j where j.id = last.job_id and j.state = 'Processing'
  and j.lease_until > now())`;

/**
 * True if no start covers the slot: none began for it or later, none was running when it came due, and none is running
 * now. A crashed worker leaves its start unfinished, so only a live lease proves that it is running.
 */
const isUncovered = (begun: RawBuilder<unknown>) => sql`not coalesce(${begun} >= slot.due_at
  or last.finished_at >= slot.due_at or (last.finished_at is null and ${hasLiveLease}), false)`;

const isRetained = (days: number) => sql`slot.due_at >= now() - ${days}::int * interval '1 day'`;

/**
 * True for a subscription `s` whose newest due slot did not start within the grace period. Only slots after the creation
 * or the last change of the schedule count. Needs the joins of `lastStartOfSubscription`.
 */
export const isSubscriptionStalled = (retainedDays: number) => sql<boolean>`(s.paused_at is null
  and coalesce(slot.due_at > coalesce(s.schedule_changed_at, s.created_time) and ${isRetained(retainedDays)}, false)
  and ${isUncovered(sql`last.due_at`)})`;

/** Joins the slot of subscription `s` as `slot`, and its last start around that slot as `last`. */
export const lastStartOfSubscription = (slots: readonly DueSlot[]) => sql`
  left join ${slotTable(slots)} on slot.cron_expression = s.cron_expression and slot.time_zone = s.time_zone
  left join lateral (
    select u.due_at, u.finished_at, u.job_id from svc.runs u
    where u.subscription_id = s.id and u.origin = 'Schedule' and u.started_at is not null
      and u.due_at >= slot.due_at - ${longestStart}
    order by u.due_at desc limit 1) last on true`;

/** True for an enabled contract `c`, as `isSubscriptionStalled` is for a subscription. */
export const isContractStalled = (retainedDays: number) => sql<boolean>`(
  coalesce(slot.due_at > coalesce(c.schedule_changed_at, c.created_time) and ${isRetained(retainedDays)}, false)
  and ${isUncovered(sql`last.created_time`)})`;

/** Joins the slot of contract `c` as `slot`, and its last started evaluation around that slot as `last`. */
export const lastStartOfContract = (slots: readonly DueSlot[]) => sql`
  left join ${slotTable(slots)} on slot.cron_expression = c.cron_expression and slot.time_zone = c.time_zone
  left join lateral (
    select u.created_time, u.finished_at, u.job_id from svc.contract_evaluations u
    where u.contract_id = c.id and u.started_at is not null and u.created_time >= slot.due_at - ${longestStart}
    order by u.created_time desc limit 1) last on true`;
