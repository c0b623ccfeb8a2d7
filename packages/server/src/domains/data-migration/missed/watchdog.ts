import { parseSchedule } from '@svc/jobs';
import type { Database } from '../../../platform/db/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import {
  beginMissed,
  extendMissed,
  moveWatch,
  readWatched,
  startedInTime,
  type WatchedJob,
} from './store.ts';

/** Jobs checked per query. */
const batchSize = 200;
/** Upper bound for due times that one check counts; the newest remain. */
const dueTimesMax = 1_000;

export type MissedCopies = {
  /** Checks every due time whose copy should have started by now. */
  readonly check: (signal: AbortSignal) => Promise<void>;
};

/**
 * Creates the watchdog for scheduled copies. It computes due times from the schedule, independently of the scheduler,
 * which may have stopped. The owner receives one notice per outage, regardless of the number of missed copies. A due
 * time during an earlier copy of the job is not missed.
 */
export function createMissedCopies(deps: {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
  readonly tellResponsible: TellResponsible;
  /** `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
}): MissedCopies {
  const { database, log, graceSeconds } = deps;

  const look = async (watched: WatchedJob): Promise<void> => {
    const { id, watchDueAt, now } = watched;
    const schedule = readSchedule(watched);
    if (!schedule) return void (await database.transaction((tx) => moveWatch(tx, watched, null)));
    if (watchDueAt === null) {
      // First check of this schedule: earlier due times do not count as missed.
      const [next = null] = schedule.next(1, now);
      return void (await database.transaction((tx) => moveWatch(tx, watched, next)));
    }
    const until = new Date(now.getTime() - graceSeconds * 1_000);
    const due = schedule.between(watchDueAt, until, dueTimesMax);
    const [nextDueAt = null] = schedule.next(1, until);
    const inTime = await startedInTime(database, id, due, graceSeconds);
    const started = new Set(inTime.map((time) => time.getTime()));
    const missed = due.filter((time) => !started.has(time.getTime()));
    const [firstDueAt] = missed;
    const lastDueAt = missed.at(-1);
    await database.transaction(async (tx) => {
      if (!(await moveWatch(tx, watched, nextDueAt)) || !firstDueAt || !lastDueAt) return;
      const missedPeriod = { id, firstDueAt, lastDueAt, missedCount: missed.length };
      if (await extendMissed(tx, missedPeriod, graceSeconds)) return;
      await beginMissed(tx, missedPeriod);
      log.warn({ migrationJobId: id, missedCount: missed.length }, 'due copies did not start in time');
      await deps.tellResponsible(tx, {
        kind: 'MigrationMissed',
        subject: { kind: 'MigrationJob', id },
        runId: null,
        facts: {
          missedCount: missed.length,
          firstDueAt: firstDueAt.toISOString(),
          lastDueAt: lastDueAt.toISOString(),
        },
        isRepetition: false,
      });
    });
  };

  return {
    check: async (signal) => {
      while (!signal.aborted) {
        const batch = await readWatched(database, graceSeconds, batchSize);
        for (const watched of batch) {
          if (signal.aborted) return;
          await look(watched);
        }
        if (batch.length < batchSize) return;
      }
    },
  };
}

/** Returns undefined for an expression that this version cannot parse. Such a schedule never fires. */
function readSchedule({ cronExpression, timeZone }: WatchedJob) {
  try {
    return parseSchedule(cronExpression, timeZone);
  } catch {
    return undefined;
  }
}
