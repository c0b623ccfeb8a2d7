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

/** What can be done with queues while everything runs; takes effect in every process. */
export type Queues = {
  list(): Promise<QueueRecord[]>;
  /** No process takes jobs of the queue any more; running ones end. */
  pause(executor: Executor, queue: string): Promise<void>;
  resume(executor: Executor, queue: string): Promise<void>;
  /** Bounds how many jobs of the queue run in all processes together; null removes the bound. */
  setLimit(executor: Executor, queue: string, maxRunning: number | null): Promise<void>;
  /** Bounds how many jobs with a concurrency key run at once, over what the declaration says; null removes it. */
  setKeyLimit(executor: Executor, concurrencyKey: string, maxRunning: number | null): Promise<void>;
  /** The bounds that were set: `queue:<name>` is that of a queue. */
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

/** Sets up what can be done with queues. */
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
