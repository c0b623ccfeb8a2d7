import { JobsError } from '../errors.ts';
import {
  type LimitRecord,
  listLimits,
  listQueues,
  pauseQueue,
  type QueueRecord,
  setLimit,
} from '../sql/queues.ts';
import type { Sql } from '../sql/statement.ts';
import { checkName } from './declare.ts';
import type { Executor } from './executor.ts';

/** Operations on queues. They take effect in every process without a restart. */
export type Queues = {
  list(): Promise<QueueRecord[]>;
  /** Pauses a queue: no process claims its jobs any more. Running jobs end normally. */
  pause(executor: Executor, queue: string): Promise<void>;
  resume(executor: Executor, queue: string): Promise<void>;
  /** Limits the number of running jobs of the queue across all processes; null removes the limit. */
  setLimit(executor: Executor, queue: string, maxRunning: number | null): Promise<void>;
  /** Limits the number of running jobs with a concurrency key, overriding the declaration; null removes the limit. */
  setKeyLimit(executor: Executor, concurrencyKey: string, maxRunning: number | null): Promise<void>;
  /** Returns the configured limits. The key `queue:<name>` is the limit of a queue. */
  limits(): Promise<LimitRecord[]>;
};

const maxRunningMax = 1_000_000;

function checkMaxRunning(maxRunning: number | null): number | null {
  if (
    maxRunning !== null &&
    !(Number.isInteger(maxRunning) && maxRunning >= 0 && maxRunning <= maxRunningMax)
  ) {
    throw new JobsError(
      'InvalidOptions',
      `maxRunning must be a whole number from 0 to ${maxRunningMax}, or null.`,
    );
  }
  return maxRunning;
}

export function createQueues(sql: Sql): Queues {
  return {
    list: () => listQueues(sql),
    pause: (executor, queue) => pauseQueue(sql, executor, checkName('The queue', queue), true),
    resume: (executor, queue) => pauseQueue(sql, executor, checkName('The queue', queue), false),
    setLimit: (executor, queue, maxRunning) =>
      setLimit(sql, executor, `queue:${checkName('The queue', queue)}`, checkMaxRunning(maxRunning)),
    setKeyLimit: (executor, concurrencyKey, maxRunning) =>
      setLimit(sql, executor, concurrencyKey, checkMaxRunning(maxRunning)),
    limits: () => listLimits(sql),
  };
}
