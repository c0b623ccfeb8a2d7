import { type ParsedSchedule, parseSchedule } from '../../cron/parse-schedule.ts';
import { uuidV7 } from '../../db/uuid.ts';
import { errorText } from '../../errors.ts';
import {
  type DueSchedule,
  disableSchedule,
  fireTicks,
  readDueSchedules,
  type Tick,
} from '../../sql/schedules/fire-ticks.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';

/** A schedule no later than this fires each of its ticks; a later one was asleep, and fires once. */
const graceMs = 10_000;
/** Schedules read at a time. */
const schedulesMax = 500;
/** Ticks of a schedule of one second in the grace, with room. */
const lateTicksMax = 20;
/** Passed-over due times are counted up to here. */
const missedCountMax = 1_000;

/** Plans the ticks that a due schedule fires now, in order. */
export function planTicks(due: DueSchedule, parsed: ParsedSchedule): Tick[] {
  const isAwake = due.now.getTime() - due.dueAt.getTime() <= graceMs;
  const found = parsed.between(due.dueAt, due.now, isAwake ? lateTicksMax : missedCountMax + 1);
  // The stored due time counts even when the expression no longer meets it, as after new time zone data.
  const dueTimes = found.length > 0 ? found : [due.dueAt];
  const fired = isAwake ? dueTimes : dueTimes.slice(-1);
  const missedCount = dueTimes.length - fired.length;
  return fired.map((dueAt, at) => ({
    key: due.key,
    stoodAt: at === 0 ? due.dueAt : dueAt,
    dueAt,
    followingAt: fired[at + 1] ?? parsed.next(1, due.now)[0] ?? null,
    missedCount: at === 0 ? missedCount : 0,
    jobId: uuidV7(),
  }));
}

/** Fires what has come due. */
export type Scheduler = {
  /** Returns the queues in which jobs were enqueued. */
  fireDue(): Promise<Set<string>>;
};

/** Fires recurring schedules; any number of processes may do so at the same time. */
export function createScheduler(sql: Sql, logger: JobsLogger): Scheduler {
  const plan = async (due: DueSchedule): Promise<Tick[]> => {
    try {
      return planTicks(due, parseSchedule(due.cron, due.timeZone));
    } catch (error) {
      logger.error(
        { schedule: due.key, error: errorText(error) },
        'a schedule was switched off: not understood',
      );
      await disableSchedule(sql, due.key, due.dueAt);
      return [];
    }
  };

  return {
    fireDue: async () => {
      const queues = new Set<string>();
      const plans: Tick[][] = [];
      for (const due of await readDueSchedules(sql, schedulesMax)) plans.push(await plan(due));
      // A schedule that is late by several ticks fires one after the other: each moves it on to the next.
      for (let round = 0; round < lateTicksMax; round += 1) {
        const ticks = plans.map((planned) => planned[round]).filter((tick) => tick !== undefined);
        if (ticks.length === 0) break;
        for (const queue of await fireTicks(sql, ticks)) queues.add(queue);
      }
      return queues;
    },
  };
}
