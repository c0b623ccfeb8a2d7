import { activatedMax, type Pulse, takePulse } from '../sql/schedules/pulse.ts';
import type { Sql } from '../sql/statement.ts';
import type { JobsLogger } from './logger.ts';
import { type Loop, startLoop } from './loop.ts';
import type { Scheduler } from './upkeep/scheduler.ts';
import type { Worker } from './work/worker.ts';

/** Maximum age of prefetched jobs. Older ones are released: the assumption that jobs are short was wrong. */
const waitingAgeMaxMs = 2_000;

export type PulseDeps = {
  readonly sql: Sql;
  readonly workers: ReadonlyMap<string, Worker>;
  /** Fires due schedules; null in a process without this role. */
  readonly scheduler: Scheduler | null;
  readonly pollIntervalMs: number;
  readonly logger: JobsLogger;
};

/** Passes the rules of the queues to their workers, then wakes the workers whose queue has ready jobs. */
async function notifyWorkers(workers: ReadonlyMap<string, Worker>, status: Pulse): Promise<void> {
  for (const worker of workers.values()) {
    worker.setRules({
      isPaused: status.paused.includes(worker.queue),
      limit: status.queue_limits[worker.queue] ?? null,
      hasLimitedJobs: status.ready_in_turn.includes(worker.queue),
    });
    await worker.releaseWaiting(waitingAgeMaxMs);
  }
  for (const queue of [...status.ready, ...status.ready_in_turn]) workers.get(queue)?.wake();
}

/** Starts the poll of the tables. It wakes the workers, fires due schedules and repeats at the next due time. */
export function startPulse({ sql, workers, scheduler, pollIntervalMs, logger }: PulseDeps): Loop {
  const queueNames = [...workers.keys()];
  return startLoop('look for due jobs', logger, async () => {
    const status = await takePulse(sql, queueNames);
    await notifyWorkers(workers, status);
    const nextTickMs = (scheduler && status.next_tick_ms) ?? Infinity;
    const isTickDue = nextTickMs <= 0;
    if (scheduler && isTickDue) {
      for (const queue of await scheduler.fireDue()) workers.get(queue)?.wake();
    }
    if (isTickDue || status.activated === activatedMax) return 0;
    // Timers have millisecond resolution. One more millisecond prevents a timer that fires before the due time.
    const nextMs = Math.min(status.next_job_ms ?? Infinity, nextTickMs, status.next_rate_ms ?? Infinity) + 1;
    return Math.min(pollIntervalMs, nextMs);
  });
}
