import { setImmediate } from 'node:timers/promises';
import { parseSchedule } from '@svc/jobs';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

/** A schedule, with the slots around the latest due time at which a start would be late. */
export type DueSlot = {
  readonly cronExpression: string;
  readonly timeZone: string;
  /** Newest slot whose grace period has passed. Null if there was none. */
  readonly dueAt: Date | null;
  /** First slot after `dueAt`. Null if the schedule never fires again. */
  readonly nextDueAt: Date | null;
};

/** Returns the slots of every active schedule, computed from the expressions and the database's time only. */
export type ReadDueSlots = (executor: Executor) => Promise<readonly DueSlot[]>;

type Schedule = Pick<DueSlot, 'cronExpression' | 'timeZone'>;
type Slots = Pick<DueSlot, 'dueAt' | 'nextDueAt'>;

/** Maximum number of cached schedules. A further one replaces the oldest. */
const cachedMax = 10_000;
/** Yields to other work after this number of computed schedules: a few milliseconds of work. */
const turnEvery = 20;

/**
 * Creates the reader of slots. The detection of dead workers must not depend on state that workers write, so it uses none.
 * Subjects with the same schedule share its computation, and a schedule is computed again only after its next slot has
 * passed.
 */
export function createDueSlots({ graceSeconds }: { readonly graceSeconds: number }): ReadDueSlots {
  const cached = new Map<string, Slots>();

  const slotsOf = (schedule: Schedule, until: Date): Slots & { readonly isComputed: boolean } => {
    const key = `${schedule.timeZone} ${schedule.cronExpression}`;
    const cachedSlots = cached.get(key);
    if (cachedSlots && isCurrent(cachedSlots, until)) return { ...cachedSlots, isComputed: false };
    const slots = computeSlots(schedule, until);
    const [oldest] = cached.keys();
    if (cached.size >= cachedMax && oldest !== undefined) cached.delete(oldest);
    cached.set(key, slots);
    return { ...slots, isComputed: true };
  };

  return async (executor) => {
    const { schedules, now } = await readActiveSchedules(executor);
    const until = new Date(now.getTime() - graceSeconds * 1_000);
    const dueSlots: DueSlot[] = [];
    let computed = 0;
    for (const schedule of schedules) {
      const { dueAt, nextDueAt, isComputed } = slotsOf(schedule, until);
      dueSlots.push({ ...schedule, dueAt, nextDueAt });
      if (!isComputed) continue;
      computed += 1;
      if (computed % turnEvery === 0) await setImmediate();
    }
    return dueSlots;
  };
}

/** Returns false after the next slot has passed, and if the clock was set back before the cached slot. */
const isCurrent = ({ dueAt, nextDueAt }: Slots, until: Date): boolean =>
  dueAt !== null && dueAt <= until && (nextDueAt === null || nextDueAt > until);

/** Computes the newest slot until a moment, and the next one. An invalid expression has none. */
export function computeSlots({ cronExpression, timeZone }: Schedule, until: Date): Slots {
  try {
    const schedule = parseSchedule(cronExpression, timeZone);
    const [dueAt = null] = schedule.between(new Date(0), until, 1);
    const [nextDueAt = null] = schedule.next(1, until);
    return { dueAt, nextDueAt };
  } catch {
    return { dueAt: null, nextDueAt: null };
  }
}

async function readActiveSchedules(
  executor: Executor,
): Promise<{ readonly schedules: readonly Schedule[]; readonly now: Date }> {
  const { rows } = await sql<{ now: Date; cronExpression: string | null; timeZone: string | null }>`
    select now() as now, k.cron_expression as "cronExpression", k.time_zone as "timeZone"
    from (select) moment left join (
      select cron_expression, time_zone from svc.subscriptions where archived_at is null and paused_at is null
      union
      select cron_expression, time_zone from svc.data_contracts
      where archived_at is null and is_enabled and cron_expression is not null) k on true`.execute(
    executor.kysely,
  );
  const schedules = rows.flatMap(({ cronExpression, timeZone }) =>
    cronExpression === null || timeZone === null ? [] : [{ cronExpression, timeZone }],
  );
  return { schedules, now: rows[0]?.now ?? new Date() };
}

/** SQL of the slots as a table `slot (cron_expression, time_zone, due_at, next_due_at)`. */
export const slotTable = (slots: readonly DueSlot[]): RawBuilder<unknown> => sql`unnest(
  ${slots.map(({ cronExpression }) => cronExpression)}::text[], ${slots.map(({ timeZone }) => timeZone)}::text[],
  ${slots.map(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[],
  ${slots.map(({ nextDueAt }) => nextDueAt?.toISOString() ?? null)}::timestamptz[])
  as slot (cron_expression, time_zone, due_at, next_due_at)`;
