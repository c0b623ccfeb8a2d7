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

/** Definition of a recurring schedule. */
export type ScheduleDefinition<T> = {
  /** Identifier: 1 to 200 characters. `put` with an existing key replaces that schedule. */
  readonly key: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  /** Time zone of the expression. Default `UTC`. */
  readonly timeZone?: string;
  readonly job: Job<T>;
  readonly payload: T;
  /** Default true. A disabled schedule fires only through `trigger`. */
  readonly enabled?: boolean;
  /** Rule for a tick while the job of an earlier tick has not ended: `Allow` (default) fires it, `Skip` does not. */
  readonly overlap?: 'Allow' | 'Skip';
  readonly queue?: string;
  readonly priority?: number;
  readonly attemptsMax?: number;
  /** Metadata, stored with each job that the schedule fires. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/**
 * Recurring schedules. Each due time fires once, with any number of processes. All ticks that are up to 10 s late fire.
 *
 * A later schedule, for example after an outage, fires once for its newest due time. That tick records the number of
 * skipped due times, so no burst follows. Due times of a disabled schedule never fire.
 */
export type Schedules = {
  /**
   * Stores a schedule in the caller's transaction. A `put` with the same expression, time zone and `enabled` preserves
   * the next due time.
   *
   * @throws JobsError `InvalidSchedule`, `InvalidPayload`, `InvalidDeclaration`.
   */
  put<T>(executor: Executor, definition: ScheduleDefinition<T>): Promise<void>;
  /** Removes a schedule, but not the jobs that it fired. Returns false when it does not exist. */
  remove(executor: Executor, key: string): Promise<boolean>;
  /** Enables a schedule from its next due time on, or disables it. Returns false when it does not exist. */
  setEnabled(executor: Executor, key: string, isEnabled: boolean): Promise<boolean>;
  /**
   * Enqueues the schedule's job immediately, even when disabled, without a change to the schedule. Returns null when it
   * does not exist.
   */
  trigger(executor: Executor, key: string): Promise<{ readonly jobId: string } | null>;
  list(): Promise<ScheduleRecord[]>;
  get(key: string): Promise<ScheduleRecord | null>;
  /** Returns the newest ticks of a schedule, newest first. Default 100. */
  ticks(key: string, limit?: number): Promise<TickRecord[]>;
};

const ticksReadDefault = 100;

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
