import { parseSchedule } from '../cron/parse-schedule.ts';
import { uuidV7 } from '../db/uuid.ts';
import {
  deleteSchedule,
  listSchedules,
  listTicks,
  readExpression,
  readMoment,
  readSchedule,
  type ScheduleRecord,
  switchSchedule,
  type TickRecord,
  upsertSchedule,
} from '../sql/schedules/schedules.ts';
import { triggerSchedule } from '../sql/schedules/trigger-schedule.ts';
import type { Sql } from '../sql/statement.ts';
import { checkAttemptsMax, checkName, checkPriority, type Job } from './declare.ts';
import { concurrencyKeyOf, concurrencyLimitOf } from './enqueue.ts';
import type { Executor } from './executor.ts';
import { payloadText, toJsonText } from './payload.ts';

/** A recurring schedule as it is put. */
export type ScheduleDefinition<T> = {
  /** What identifies it: 1 to 200 characters. Putting the same key again replaces it. */
  readonly key: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  /** Name of the time zone that the expression is meant in. Default `UTC`. */
  readonly timeZone?: string;
  readonly job: Job<T>;
  readonly payload: T;
  /** Default true. A disabled one fires only by `trigger`. */
  readonly enabled?: boolean;
  /** What happens to a tick while the job of an earlier one has not ended: `Allow` (default) fires it, `Skip` does not. */
  readonly overlap?: 'Allow' | 'Skip';
  readonly queue?: string;
  readonly priority?: number;
  readonly attemptsMax?: number;
  /** Kept with each job that it fires. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/**
 * Recurring schedules. Each due time fires once, with any number of processes. Ticks that are up to 10 s late all
 * fire; a schedule that is later, since nothing was running, fires once for its newest due time, and the tick counts
 * those that were passed over: there is no burst to catch up. Time that a schedule was disabled is never caught up.
 */
export type Schedules = {
  /**
   * Writes a schedule in the caller's transaction. Putting it again with the same expression, time zone and switch
   * keeps its next due time.
   *
   * @throws JobsError `InvalidSchedule`, `InvalidPayload`, `InvalidDeclaration`.
   */
  put<T>(executor: Executor, definition: ScheduleDefinition<T>): Promise<void>;
  /** Removes a schedule; jobs that it fired stay. False when there was none. */
  remove(executor: Executor, key: string): Promise<boolean>;
  /** Switches a schedule on, to fire from its next due time, or off. False when there is none. */
  setEnabled(executor: Executor, key: string, isEnabled: boolean): Promise<boolean>;
  /** Enqueues its job now, enabled or not, and leaves the schedule as it is. Null when there is none. */
  trigger(executor: Executor, key: string): Promise<{ readonly jobId: string } | null>;
  list(): Promise<ScheduleRecord[]>;
  get(key: string): Promise<ScheduleRecord | null>;
  /** The newest ticks of a schedule, newest first. Default 100. */
  ticks(key: string, limit?: number): Promise<TickRecord[]>;
};

const ticksReadDefault = 100;

/** Sets up the recurring schedules. */
export function createSchedules(sql: Sql): Schedules {
  return {
    put: async (executor, definition) => {
      const { job, payload } = definition;
      const parsed = parseSchedule(definition.cron, definition.timeZone);
      const isEnabled = definition.enabled ?? true;
      const columns = {
        key: checkName('The key of a schedule', definition.key),
        cron: parsed.cron,
        timeZone: parsed.timeZone,
        jobName: job.name,
        queue: checkName('The queue', definition.queue ?? job.queue),
        payload: payloadText(job, payload),
        metadata: definition.metadata ? toJsonText('The metadata', definition.metadata) : null,
        priority: checkPriority(definition.priority ?? job.priority),
        attemptsMax: checkAttemptsMax(definition.attemptsMax ?? job.retry.attemptsMax),
        concurrencyKey: concurrencyKeyOf(job, payload),
        concurrencyLimit: concurrencyLimitOf(job),
        isEnabled,
        skipsOverlap: definition.overlap === 'Skip',
      };
      const now = await readMoment(sql, executor);
      const nextDueAt = isEnabled ? (parsed.next(1, now)[0] ?? null) : null;
      await upsertSchedule(sql, executor, { ...columns, nextDueAt });
    },
    remove: (executor, key) => deleteSchedule(sql, executor, key),
    setEnabled: async (executor, key, isEnabled) => {
      const expression = await readExpression(sql, executor, key);
      if (!expression) return false;
      const parsed = parseSchedule(expression.cron, expression.timeZone);
      const now = await readMoment(sql, executor);
      const nextDueAt = isEnabled ? (parsed.next(1, now)[0] ?? null) : null;
      return switchSchedule(sql, executor, key, isEnabled, nextDueAt);
    },
    trigger: async (executor, key) => {
      const jobId = uuidV7();
      return (await triggerSchedule(sql, executor, key, jobId)) ? { jobId } : null;
    },
    list: () => listSchedules(sql),
    get: (key) => readSchedule(sql, key),
    ticks: (key, limit = ticksReadDefault) => listTicks(sql, key, limit),
  };
}
