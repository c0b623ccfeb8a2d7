import type { Caller } from '../../../platform/access/index.ts';

/** How a request to stop a run ended. `NotRunning`: it is over, never was, or runs in another process. */
export type StopOutcome = 'Stopped' | 'StillEnding' | 'NotRunning';

/** A run is given this long to end at its data source before the answer says that it is still ending. */
const endingMaxMs = 10_000;
/** A request to stop can overtake that of its run on the way here: it waits so long for the run to begin. */
const beginningMaxMs = 1_000;

type LiveRun = { readonly controller: AbortController; readonly ended: Promise<unknown> };

export type LiveRuns = {
  /** Runs `work`; under a key its caller can stop it. */
  readonly run: <T>(
    caller: Caller,
    runKey: string | undefined,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>;
  /** Stops the caller's own run of that key, also one that begins a moment later, and waits until it has ended. */
  readonly stop: (caller: Caller, runKey: string) => Promise<StopOutcome>;
};

/**
 * The runs that somebody waits for in this process, by the key that their caller gave them. A key is a name among
 * the caller's own runs: nobody reaches another's. Closing the request stops a run too, in whichever process it is.
 */
export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun>();
  /** Told of runs that begin, by name: requests to stop that came first. */
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
      const found = runs.get(name) ?? (await beginning(name));
      if (!found) return 'NotRunning';
      found.controller.abort();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<StopOutcome>((resolve) => {
        timer = setTimeout(() => resolve('StillEnding'), endingMaxMs);
      });
      const ended = found.ended.then((): StopOutcome => 'Stopped');
      return Promise.race([ended, late]).finally(() => clearTimeout(timer));
    },
  };
}
