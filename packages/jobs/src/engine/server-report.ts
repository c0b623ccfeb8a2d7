import os from 'node:os';
import type { ServerReport } from '../sql/servers.ts';
import type { Worker } from './work/worker.ts';

export type ServerIdentity = {
  readonly serverId: string;
  readonly serverName: string;
  readonly isScheduler: boolean;
};

/** Returns the default name of a process in lists: host and process id. */
export const defaultServerName = (): string => `${os.hostname()}:${process.pid}`;

/** Returns the function that measures the process. The CPU share is the mean since the previous report. */
export function createServerReport(
  { serverId, serverName, isScheduler }: ServerIdentity,
  workers: ReadonlyMap<string, Worker>,
): () => ServerReport {
  let cpuBefore = process.cpuUsage();
  let cpuMeasuredAtMs = performance.now();
  return () => {
    const used = process.cpuUsage(cpuBefore);
    const elapsedMs = performance.now() - cpuMeasuredAtMs;
    cpuBefore = process.cpuUsage();
    cpuMeasuredAtMs = performance.now();
    return {
      id: serverId,
      name: serverName,
      processId: process.pid,
      isScheduler,
      rssBytes: process.memoryUsage.rss(),
      cpuPercent: elapsedMs > 0 ? (used.user + used.system) / 10 / elapsedMs : 0,
      workers: [...workers.values()].map((worker) => ({
        id: worker.id,
        queue: worker.queue,
        concurrency: worker.concurrency,
        running: worker.running(),
      })),
    };
  };
}
