import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time that the event loop was held while the work went on, for tests. */
export async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  await work();
  monitor.disable();
  return monitor.max / 1e6;
}
