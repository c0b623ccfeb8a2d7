import type { Clock } from '../../platform/clock.ts';

/** A process that runs jobs reports every few seconds; one that was silent for so long does not run any. */
const silentMsMax = 60_000;

/** A process that runs jobs, fires schedules, or both, as it last reported. */
export type RunningProcess = {
  readonly heartbeatAt: Date;
  readonly isScheduler: boolean;
  /** Its workers, one for each queue that it takes jobs of. */
  readonly workers: readonly { readonly queue: string }[];
};

export type Workers = {
  readonly isAlive: boolean;
  readonly lastHeartbeatAt: Date | null;
  /** Whether a live process fires schedules. */
  readonly isScheduling: boolean;
  /** Queues that no live process takes jobs of. */
  readonly unservedQueues: readonly string[];
  /** Queues that were paused: nobody takes jobs of them, whoever serves them. */
  readonly pausedQueues: readonly string[];
};

/** Who runs jobs and fires schedules, from when each process last reported, and which queues wait whoever does. */
export function workersOf({
  processes,
  queues,
  paused,
  now,
}: {
  readonly processes: readonly RunningProcess[];
  /** Every queue that the service puts jobs into. */
  readonly queues: readonly string[];
  /** Names of paused queues, those of others included. */
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

/** Who runs jobs and fires schedules at the moment of asking. */
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

/** The same as it leaves the service. */
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
