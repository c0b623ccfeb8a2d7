import { RunSqlRefusal } from './refusal.ts';

/** How many runs may go on at once, and how long others wait. */
export type RunSlotLimits = {
  /** Statements at one data source at once. Default 4. */
  readonly perDataSource?: number;
  /** Runs of one caller at once. Default 4. */
  readonly perCaller?: number;
  /** Runs that may wait for one data source or one caller. Default 20. */
  readonly queueMax?: number;
  /** How long one waits at most. Default 10,000 ms. */
  readonly queueWaitMs?: number;
};

/** Gives a slot back; further calls do nothing. */
export type Release = () => void;

/** What ends the waiting beside the queue's own limit. It is asked for only when there is some. */
export type EndOfWaiting = () => {
  readonly signal: AbortSignal;
  /** Until the time of the run is over, in milliseconds. Default: it has no end. */
  readonly leftMs?: number;
};

export type RunSlots = {
  readonly takeForCaller: (callerId: string, end: EndOfWaiting) => Promise<Release>;
  readonly takeForDataSource: (dataSourceId: string, end: EndOfWaiting) => Promise<Release>;
};

/** Slots in the memory of this process; each replica has its own. */
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

/** A signal ends by a time limit or by somebody's will. */
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
      // The slot passes on to the one that has waited longest.
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
   * One timer, and no signal made of others: those stay with all they lead to until the next full collection, and
   * where many run at once most of them wait.
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
