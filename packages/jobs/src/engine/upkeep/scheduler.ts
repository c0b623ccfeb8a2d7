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

/** Maximum delay of a schedule that fires each missed tick. A later schedule fires once. */
const graceMs = 10_000;
/** Maximum number of schedules per read. */
const schedulesMax = 500;
/** Maximum number of late ticks per schedule: the ticks of a one-second schedule within the grace period, with a margin. */
const lateTicksMax = 20;
/** Maximum recorded number of skipped due times. */
const missedCountMax = 1_000;

/** Returns the ticks that a due schedule fires now, in order. */
export function planTicks(due: DueSchedule, parsed: ParsedSchedule): Tick[] {
  const isAwake = due.now.getTime() - due.dueAt.getTime() <= graceMs;
  const matchingTimes = parsed.between(due.dueAt, due.now, isAwake ? lateTicksMax : missedCountMax + 1);
  // The stored due time applies even if the expression no longer matches it, for example after a time zone update.
  const dueTimes = matchingTimes.length > 0 ? matchingTimes : [due.dueAt];
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

/** Fires due schedules. */
export type Scheduler = {
  /** Fires the due ticks and returns the queues of the enqueued jobs. */
  fireDue(): Promise<Set<string>>;
};

/** Creates the scheduler. Any number of processes may fire schedules at the same time. */
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
      // Ticks of one schedule fire one after the other: each sets the due time of the next.
      for (let round = 0; round < lateTicksMax; round += 1) {
        const ticks = plans.map((planned) => planned[round]).filter((tick) => tick !== undefined);
        if (ticks.length === 0) break;
        for (const queue of await fireTicks(sql, ticks)) queues.add(queue);
      }
      return queues;
    },
  };
}
