import { parseSchedule } from '@svc/jobs';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { createSkipOverlapping } from './overlap.ts';
import { overlappingSlots } from './overlap-store.ts';
import { extendMissed, insertMissed, moveWatch, notMissed, readWatched, type Watched } from './store.ts';
import type { WatchedKind } from './watched-kinds.ts';

/** Subjects of one kind checked per query. */
const batchSize = 200;
/** Upper bound for due times that one check counts; the newest remain. */
const dueTimesMax = 1_000;

/** Name of each subject's id in the log. */
const logNames = { Subscription: 'subscriptionId', Contract: 'contractId' } as const;

export type Watchdog = {
  /** Checks every due time whose run should have started by now. */
  readonly check: (signal: AbortSignal) => Promise<void>;
};

/**
 * Creates the watchdog for runs and evaluations. It computes due times from the schedule, independently of the
 * scheduler, and records missed starts. Causes include a stopped scheduler, a full queue and a stopped process. All
 * missed starts of one outage share a record and a notice.
 */
export function createWatchdog(deps: {
  readonly database: Database;
  readonly log: Logger;
  readonly tellResponsible: TellResponsible;
  /** `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
}): Watchdog {
  const { database, log, graceSeconds } = deps;
  const recordSkip = createSkipOverlapping(deps);

  /**
   * Records slots that passed during an earlier run.
   *
   * @returns their times.
   */
  const skipOverlapping = async (id: number, slots: readonly Date[]): Promise<Set<number>> => {
    const skipped = new Set<number>();
    for (const slotAt of await overlappingSlots(database, id, slots))
      if (await recordSkip(id, slotAt)) skipped.add(slotAt.getTime());
    return skipped;
  };

  const look = async (watched: Watched): Promise<void> => {
    const { kind, id, watchDueAt } = watched;
    const schedule = readSchedule(watched);
    if (!schedule) return void (await database.transaction((tx) => moveWatch(tx, watched, null)));
    const untilMs = watched.now.getTime() - graceSeconds * 1_000;
    if (watchDueAt === null) {
      // First check of this schedule: earlier due times do not count as missed.
      const [next = null] = schedule.next(1, watched.now);
      return void (await database.transaction((tx) => moveWatch(tx, watched, next)));
    }
    const until = new Date(untilMs);
    const due = schedule.between(watchDueAt, until, dueTimesMax);
    const [nextDueAt = null] = schedule.next(1, until);
    const started = timesOf(await notMissed(database, watched, due, graceSeconds));
    const notStarted = due.filter((time) => !started.has(time.getTime()));
    const skipped = kind === 'Subscription' ? await skipOverlapping(id, notStarted) : new Set();
    const unstarted = notStarted.filter((time) => !skipped.has(time.getTime()));
    await database.transaction(async (tx) => {
      if (!(await moveWatch(tx, watched, nextDueAt))) return;
      // The subject is now locked. A run that started since the first read is not missed.
      const startedSince = timesOf(await notMissed(tx, watched, unstarted, graceSeconds));
      const missed = unstarted.filter((time) => !startedSince.has(time.getTime()));
      const [first] = missed;
      const last = missed.at(-1);
      if (!first || !last) return;
      const missedRuns = { kind, id, firstDueAt: first, lastDueAt: last, missedCount: missed.length };
      if (await extendMissed(tx, missedRuns, graceSeconds)) return;
      await insertMissed(tx, missedRuns);
      log.warn({ [logNames[kind]]: id, missedCount: missed.length }, 'due runs did not start in time');
      await deps.tellResponsible(tx, {
        kind: kind === 'Contract' ? 'EvaluationMissed' : 'RunMissed',
        subject: { kind, id },
        runId: null,
        facts: {
          missedCount: missed.length,
          firstDueAt: first.toISOString(),
          lastDueAt: last.toISOString(),
          graceSeconds,
        },
        isRepetition: false,
      });
    });
  };

  const checkKind = async (kind: WatchedKind, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const batch = await readWatched(database, kind, graceSeconds, batchSize);
      for (const watched of batch) {
        if (signal.aborted) return;
        await look(watched);
      }
      if (batch.length < batchSize) return;
    }
  };

  return {
    check: async (signal) => {
      for (const kind of ['Subscription', 'Contract'] as const) await checkKind(kind, signal);
    },
  };
}

const timesOf = (times: readonly Date[]): Set<number> => new Set(times.map((time) => time.getTime()));

/** Returns undefined for an expression that this version cannot parse. Such a schedule never fires. */
function readSchedule({ cronExpression, timeZone }: Watched) {
  try {
    return parseSchedule(cronExpression, timeZone);
  } catch {
    return undefined;
  }
}
