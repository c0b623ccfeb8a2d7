import type { Caller } from '../../../platform/access/index.ts';

/** Outcome of a request to stop a run. `NotRunning`: the run is over, never began, or belongs to another process. */
export type StopOutcome = 'Stopped' | 'StillEnding' | 'NotRunning';

/** Longest wait for a run to end at its data source, in milliseconds. After it, the outcome is `StillEnding`. */
const endingMaxMs = 10_000;
/** Longest wait for a run to begin, in milliseconds. A request to stop may arrive before the request to run. */
const beginningMaxMs = 1_000;

type LiveRun = { readonly controller: AbortController; readonly ended: Promise<unknown> };

export type LiveRuns = {
  /** Runs `work`. With a key, its caller can stop it. */
  readonly run: <T>(
    caller: Caller,
    runKey: string | undefined,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>;
  /**
   * Stops the caller's run with this key and waits until it has ended. A run that begins a moment later is also
   * stopped.
   */
  readonly stop: (caller: Caller, runKey: string) => Promise<StopOutcome>;
};

/**
 * Tracks the ad-hoc runs of this process by the keys of their callers. A key is private to its caller, so no caller can
 * stop the run of another. Closing the request also stops a run, in any process.
 */
export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun>();
  /** Callbacks for runs that begin, by name. They belong to requests to stop that arrived first. */
  const awaited = new Map<string, (run: LiveRun) => void>();
  const nameOf = (caller: Caller, runKey: string): string =>
    JSON.stringify([caller.userId, caller.hostUserId ?? null, runKey]);

  const beginning = async (name: string): Promise<LiveRun | undefined> => {
    const { promise, resolve } = Promise.withResolvers<LiveRun | undefined>();
    const earlier = awaited.get(name);
    const onBegin = (run: LiveRun) => {
      earlier?.(run);
      resolve(run);
    };
    awaited.set(name, onBegin);
    const timer = setTimeout(resolve, beginningMaxMs, undefined);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      if (awaited.get(name) === onBegin) awaited.delete(name);
    }
  };

  return {
    run: async (caller, runKey, signal, work) => {
      if (runKey === undefined) return work(signal);
      const name = nameOf(caller, runKey);
      const controller = new AbortController();
      const running = work(AbortSignal.any([signal, controller.signal]));
      const entry = { controller, ended: running.catch(() => undefined) };
      runs.set(name, entry);
      awaited.get(name)?.(entry);
      try {
        return await running;
      } finally {
        if (runs.get(name) === entry) runs.delete(name);
      }
    },
    stop: async (caller, runKey) => {
      const name = nameOf(caller, runKey);
      const run = runs.get(name) ?? (await beginning(name));
      if (!run) return 'NotRunning';
      run.controller.abort();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<StopOutcome>((resolve) => {
        timer = setTimeout(() => resolve('StillEnding'), endingMaxMs);
      });
      const ended = run.ended.then((): StopOutcome => 'Stopped');
      return Promise.race([ended, late]).finally(() => clearTimeout(timer));
    },
  };
}
