import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Request that the monitor received. */
export type MonitorRequest = { readonly method: string; readonly url: string };

/** Monitor that waits for heartbeats: an HTTP server in a child process. */
export type Monitor = {
  /** URL such as `http://127.0.0.1:41234`. The answer to a path that ends in `/503` has that status. */
  readonly origin: string;
  readonly received: readonly MonitorRequest[];
  /** Waits for the next request. */
  readonly next: () => Promise<MonitorRequest>;
  readonly close: () => Promise<void>;
};

export async function startMonitor(): Promise<Monitor> {
  const child = fork(fileURLToPath(new URL('monitor-process.ts', import.meta.url)), { execArgv: [] });
  const [message] = await once(child, 'message');
  const received: MonitorRequest[] = [];
  child.on('message', (request: MonitorRequest) => received.push(request));
  return {
    origin: `http://127.0.0.1:${message.port}`,
    received,
    next: async () => {
      const [request] = await once(child, 'message');
      return request;
    },
    close: async () => {
      const isGone = once(child, 'exit');
      child.kill();
      await isGone;
    },
  };
}
