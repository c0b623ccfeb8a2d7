import type { Child } from './child-process.ts';

/** Jobs that wait for a child process, in the order of their arrival. */
export type WaitingJobs = {
  readonly size: () => number;
  /** Waits for a child. Rejects with the signal's reason, which removes the job. */
  readonly add: (signal: AbortSignal) => Promise<Child>;
  /** Assigns the child to the first job. Returns false if no job waits. */
  readonly serveFirst: (child: Child) => boolean;
  readonly rejectFirst: (error: unknown) => void;
  readonly rejectAll: (error: unknown) => void;
};

export function createWaitingJobs(): WaitingJobs {
  const jobs: { resolve: (child: Child) => void; reject: (error: unknown) => void }[] = [];
  return {
    size: () => jobs.length,
    add: (signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => {
          jobs.splice(jobs.indexOf(job), 1);
          reject(signal.reason);
        };
        const settle = () => signal.removeEventListener('abort', onAbort);
        const job = {
          resolve: (child: Child) => {
            settle();
            resolve(child);
          },
          reject: (error: unknown) => {
            settle();
            reject(error);
          },
        };
        jobs.push(job);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
    serveFirst: (child) => {
      const job = jobs.shift();
      job?.resolve(child);
      return job !== undefined;
    },
    rejectFirst: (error) => jobs.shift()?.reject(error),
    rejectAll: (error) => {
      for (const job of jobs.splice(0)) job.reject(error);
    },
  };
}
