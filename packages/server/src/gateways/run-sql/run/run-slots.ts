import { RunSqlRefusal } from '../refusal.ts';

/** Limits of concurrent and waiting runs. */
export type RunSlotLimits = {
  /** Concurrent statements at one data source. Default 4. */
  readonly perDataSource?: number;
  /** Concurrent runs of one caller. Default 4. */
  readonly perCaller?: number;
  /** Maximum number of runs that wait for one data source or one caller. Default 20. */
  readonly queueMax?: number;
  /** Maximum wait of a run. Default 10,000 ms. */
  readonly queueWaitMs?: number;
};

/** Releases a slot. Further calls have no effect. */
export type Release = () => void;

/** Returns the limits of the wait in addition to the queue's own. Called only if a run has to wait. */
export type EndOfWaiting = () => {
  readonly signal: AbortSignal;
  /** Remaining time of the run in milliseconds. Default: unlimited. */
  readonly leftMs?: number;
};

export type RunSlots = {
  readonly takeForCaller: (callerId: string, end: EndOfWaiting) => Promise<Release>;
  readonly takeForDataSource: (dataSourceId: string, end: EndOfWaiting) => Promise<Release>;
};

/** Creates slots in the memory of this process. Each replica has its own. */
export function createRunSlots(limits: RunSlotLimits = {}): RunSlots {
  const { perDataSource = 4, perCaller = 4, queueMax = 20, queueWaitMs = 10_000 } = limits;
  const callers = createQueue({ max: perCaller, queueMax, queueWaitMs, what: 'you have' });
  const dataSources = createQueue({
    max: perDataSource,
    queueMax,
    queueWaitMs,
    what: 'this data source has',
  });
  return { takeForCaller: callers.take, takeForDataSource: dataSources.take };
}

const timedOut = (): RunSqlRefusal => new RunSqlRefusal('timed-out', 'The time limit has passed.');

/** Returns the refusal for an aborted signal: a time limit or a cancellation. */
function endOf(signal: AbortSignal): RunSqlRefusal {
  const isTimeLimit = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isTimeLimit ? timedOut() : new RunSqlRefusal('cancelled', 'The run was cancelled.');
}

type QueueOptions = { max: number; queueMax: number; queueWaitMs: number; what: string };
type Lane = { active: number; readonly waiting: (() => void)[] };

function createQueue({ max, queueMax, queueWaitMs, what }: QueueOptions) {
  const lanes = new Map<string, Lane>();

  function refusal(): RunSqlRefusal {
    const message = `There are too many runs: ${what} ${max} at once already. Try again in a moment.`;
    return new RunSqlRefusal('too-many-runs', message, { retryAfterSeconds: Math.ceil(queueWaitMs / 1_000) });
  }

  function releaseOf(key: string, lane: Lane): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = lane.waiting.shift();
      // The slot passes to the longest waiting run.
      if (next) return next();
      lane.active--;
      if (lane.active === 0) lanes.delete(key);
    };
  }

  async function take(key: string, end: EndOfWaiting): Promise<Release> {
    const lane = lanes.get(key) ?? { active: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.active < max) {
      lane.active++;
      return releaseOf(key, lane);
    }
    if (lane.waiting.length >= queueMax) throw refusal();
    await waitInLane(lane, end());
    return releaseOf(key, lane);
  }

  /**
   * Uses one timer and no derived signal. Derived signals retain their references until the next full collection, and under
   * load most runs wait.
   */
  function waitInLane(
    lane: Lane,
    { signal, leftMs = Number.POSITIVE_INFINITY }: ReturnType<EndOfWaiting>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        lane.waiting.splice(lane.waiting.indexOf(enter), 1);
        settle();
        reject(error);
      };
      const onAbort = () => leave(endOf(signal));
      const onTime = () => leave(leftMs < queueWaitMs ? timedOut() : refusal());
      const timer = setTimeout(onTime, Math.min(leftMs, queueWaitMs));
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const enter = () => {
        settle();
        resolve();
      };
      lane.waiting.push(enter);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return { take };
}
