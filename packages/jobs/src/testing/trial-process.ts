import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TrialWorkerSettings } from './trial-worker.ts';

/** A worker process of a trial. */
export type TrialProcess = {
  /** Ends it as a crash would: nothing of it gets to run any more. */
  readonly kill: () => Promise<void>;
  /** Stops it from running, as a machine that hangs would: its connections stay open, its leases run out. */
  readonly freeze: () => void;
  /** Lets it go on where it was. */
  readonly thaw: () => void;
  /** Lets it stop in good order. */
  readonly stop: () => Promise<void>;
};

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Starts a worker process and waits until it runs jobs, unless it dies before. */
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
      // A frozen one could not hear it.
      child.kill('SIGCONT');
      if (child.connected) child.disconnect();
      await ended(child);
    },
  };
}
