import type { Clock } from '../../platform/clock.ts';

/** A process that runs jobs reports every few seconds; one that was silent for so long does not run any. */
const silentMsMax = 60_000;

export type Workers = { readonly isAlive: boolean; readonly lastHeartbeatAt: Date | null };

/** Whether anybody runs jobs, from when each process last reported. */
export function workersOf(heartbeats: readonly Date[], now: Date): Workers {
  const [lastHeartbeatAt = null] = heartbeats.toSorted((a, b) => b.getTime() - a.getTime());
  const isAlive = lastHeartbeatAt !== null && now.getTime() - lastHeartbeatAt.getTime() < silentMsMax;
  return { isAlive, lastHeartbeatAt };
}

/** Whether anybody runs jobs at the moment of asking. */
export const createWorkers =
  (deps: {
    readonly clock: Clock;
    /** When each process that runs jobs last reported. */
    readonly heartbeats: () => Promise<readonly Date[]>;
  }) =>
  async (): Promise<Workers> =>
    workersOf(await deps.heartbeats(), deps.clock.now());
