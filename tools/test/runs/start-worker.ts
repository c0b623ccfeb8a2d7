import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { WorkerSettings } from './worker-process.ts';

/** A service process of a trial. */
export type WorkerProcess = {
  /** Ends it as a crash would: nothing of it gets to run any more. */
  readonly kill: () => Promise<void>;
  /** Lets it stop in good order. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts a service process and waits until it runs jobs.
 *
 * @throws Error when it ends before it did.
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
