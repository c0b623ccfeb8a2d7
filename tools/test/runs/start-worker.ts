import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { WorkerSettings } from './worker-process.ts';

/** A service process of a trial. */
export type WorkerProcess = {
  /** Kills the process with SIGKILL, like a crash. */
  readonly kill: () => Promise<void>;
  /** Stops the process gracefully. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts a service process and waits until it runs jobs.
 *
 * @throws Error when the process ends before that.
 */
export async function startWorker(settings: WorkerSettings): Promise<WorkerProcess> {
  const child = fork(new URL('./worker-process.ts', import.meta.url), {
    execArgv: ['--conditions=svc-source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.send(settings);
  const isStarted = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]);
  if (!isStarted) throw new Error(`A service process ended before it started: ${child.exitCode}.`);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
