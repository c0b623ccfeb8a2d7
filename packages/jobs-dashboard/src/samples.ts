import type { JobState } from '@svc/jobs';
import type { Db } from './db.ts';
import { countStates } from './sql/counts.ts';
import { listQueues } from './sql/queues.ts';

/** How many jobs were where at a moment. */
export type Sample = {
  readonly at: Date;
  readonly states: Readonly<Record<JobState, number>>;
  /** Waiting jobs by queue; queues in which none waits are left out. */
  readonly waiting: Readonly<Record<string, number>>;
};

export type Samples = {
  readonly everyMs: number;
  /** Of the last hour, oldest first. */
  readonly read: () => readonly Sample[];
  readonly stop: () => void;
};

const hourMs = 3_600_000;
/** Queues of one sample that are kept: those in which most wait. */
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
 * Looks now and then at how many jobs are where, by bounded reads, and keeps an hour of it: nothing in the database
 * tells how long a queue was a while ago. What cannot be read is a gap.
 */
export function keepSamples(db: Db, everyMs: number): Samples {
  const kept: Sample[] = [];
  let isTaking = false;
  let isStopped = false;
  const look = async (): Promise<void> => {
    // A database that takes longer than that is not asked twice.
    if (isTaking) return;
    isTaking = true;
    const sample = await take(db).catch(() => undefined);
    isTaking = false;
    if (!sample || isStopped) return;
    kept.push(sample);
    const oldestMs = sample.at.getTime() - hourMs;
    while (kept[0] && kept[0].at.getTime() < oldestMs) kept.shift();
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  void look();
  return {
    everyMs,
    read: () => kept,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
