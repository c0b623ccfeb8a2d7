import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TrialWorkerSettings } from './trial-worker.ts';

/** Worker process of a trial. */
export type TrialProcess = {
  /** Kills the process like a crash: no further code runs. */
  readonly kill: () => Promise<void>;
  /** Stops the execution like a machine that hangs: connections remain open and leases expire. */
  readonly freeze: () => void;
  /** Resumes the execution. */
  readonly thaw: () => void;
  /** Stops the process normally. */
  readonly stop: () => Promise<void>;
};

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Starts a worker process and waits until it runs jobs or exits. */
export async function startTrialProcess(settings: TrialWorkerSettings): Promise<TrialProcess> {
  const child = fork(new URL('./trial-worker.ts', import.meta.url), {
    execArgv: ['--conditions=svc-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(settings);
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended(child);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: async () => {
      // A frozen process could not receive the disconnect.
      child.kill('SIGCONT');
      if (child.connected) child.disconnect();
      await ended(child);
    },
  };
}
