import type { Clock } from '../../platform/clock.ts';

/** Processes that run jobs report every few seconds. A process without a report for this duration counts as dead. */
const silentMsMax = 60_000;

/** Last report of a process that runs jobs, fires schedules, or both. */
export type RunningProcess = {
  readonly heartbeatAt: Date;
  readonly isScheduler: boolean;
  /** Its workers, one for each of its queues. */
  readonly workers: readonly { readonly queue: string }[];
};

export type Workers = {
  readonly isAlive: boolean;
  readonly lastHeartbeatAt: Date | null;
  /** True if a live process fires schedules. */
  readonly isScheduling: boolean;
  /** Queues without a live process. */
  readonly unservedQueues: readonly string[];
  /** Paused queues: no process takes jobs from them. */
  readonly pausedQueues: readonly string[];
};

/** Summarises the live processes and the queues that wait. */
export function workersOf({
  processes,
  queues,
  paused,
  now,
}: {
  readonly processes: readonly RunningProcess[];
  /** Every queue that the service puts jobs into. */
  readonly queues: readonly string[];
  /** Names of paused queues, including queues of other applications. */
  readonly paused: readonly string[];
  readonly now: Date;
}): Workers {
  const working = processes.filter(({ workers }) => workers.length > 0);
  const [last] = working.toSorted((a, b) => b.heartbeatAt.getTime() - a.heartbeatAt.getTime());
  const live = processes.filter(({ heartbeatAt }) => now.getTime() - heartbeatAt.getTime() < silentMsMax);
  const served = new Set(live.flatMap(({ workers }) => workers.map(({ queue }) => queue)));
  return {
    isAlive: served.size > 0,
    lastHeartbeatAt: last?.heartbeatAt ?? null,
    isScheduling: live.some(({ isScheduler }) => isScheduler),
    unservedQueues: queues.filter((queue) => !served.has(queue)),
    pausedQueues: queues.filter((queue) => paused.includes(queue)),
  };
}

/** Creates a function that returns the current state of the workers. */
export const createWorkers =
  (deps: {
    readonly clock: Clock;
    /** Every queue that the service puts jobs into. */
    readonly queues: readonly string[];
    readonly processes: () => Promise<readonly RunningProcess[]>;
    readonly pausedQueues: () => Promise<readonly string[]>;
  }) =>
  async (): Promise<Workers> => {
    const [processes, paused] = await Promise.all([deps.processes(), deps.pausedQueues()]);
    return workersOf({ processes, paused, queues: deps.queues, now: deps.clock.now() });
  };

/** Converts the state of the workers for the API. */
export const presentWorkers = ({
  isAlive,
  lastHeartbeatAt,
  isScheduling,
  unservedQueues,
  pausedQueues,
}: Workers) => ({
  hasLiveWorker: isAlive,
  lastHeartbeatAt: lastHeartbeatAt?.toISOString() ?? null,
  hasLiveScheduler: isScheduling,
  unservedQueues: [...unservedQueues],
  pausedQueues: [...pausedQueues],
});
