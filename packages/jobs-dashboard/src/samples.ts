import type { JobState } from '@svc/jobs';
import type { Db } from './db.ts';
import { countStates } from './sql/counts.ts';
import { listQueues } from './sql/queues.ts';

/** Job counts at one time. */
export type Sample = {
  readonly at: Date;
  readonly states: Readonly<Record<JobState, number>>;
  /** Waiting jobs by queue. Queues without waiting jobs are omitted. */
  readonly waiting: Readonly<Record<string, number>>;
};

export type Samples = {
  readonly everyMs: number;
  /** Returns the samples of the last hour, oldest first. */
  readonly read: () => readonly Sample[];
  readonly stop: () => void;
};

const hourMs = 3_600_000;
/** Maximum number of queues per sample, those with the most waiting jobs. */
const queuesKept = 20;

async function take(db: Db): Promise<Sample> {
  const [states, queues] = await Promise.all([countStates(db), listQueues(db)]);
  const waiting = queues
    .filter((queue) => queue.waiting > 0)
    .sort((a, b) => b.waiting - a.waiting)
    .slice(0, queuesKept)
    .map((queue) => [queue.name, queue.waiting] as const);
  const counts = Object.entries(states).map(([state, { count }]) => [state, count] as const);
  return {
    at: new Date(),
    states: Object.fromEntries(counts) as Sample['states'],
    waiting: Object.fromEntries(waiting),
  };
}

/**
 * Samples job counts at an interval, with bounded reads, and retains one hour: the database does not record past queue
 * lengths. A failed read leaves a gap.
 */
export function keepSamples(db: Db, everyMs: number): Samples {
  const samples: Sample[] = [];
  let isTaking = false;
  let isStopped = false;
  const look = async (): Promise<void> => {
    // A sample that takes longer than the interval is not started twice.
    if (isTaking) return;
    isTaking = true;
    const sample = await take(db).catch(() => undefined);
    isTaking = false;
    if (!sample || isStopped) return;
    samples.push(sample);
    const oldestMs = sample.at.getTime() - hourMs;
    while (samples[0] && samples[0].at.getTime() < oldestMs) samples.shift();
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  void look();
  return {
    everyMs,
    read: () => samples,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
