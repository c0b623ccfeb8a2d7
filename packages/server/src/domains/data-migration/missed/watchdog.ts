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

/** Jobs that are looked at before others get their turn. */
const batchSize = 200;
/** Due times that one look counts at most: the newest. */
const dueTimesMax = 1_000;

export type MissedCopies = {
  /** Looks at every due time whose copy should have started by now. */
  readonly check: (signal: AbortSignal) => Promise<void>;
};

/**
 * Watches that scheduled copies start. It computes from the schedule what should have started, and does not ask the
 * scheduler, which may be what stands still. The owner is told once of an outage, however many copies it costs; a tick
 * while an earlier copy of the job goes on is none.
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
      // Seen for the first time: what was due before is nobody's promise.
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
      const found = { id, firstDueAt, lastDueAt, missedCount: missed.length };
      if (await extendMissed(tx, found, graceSeconds)) return;
      await beginMissed(tx, found);
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

/** Undefined for an expression that this version does not understand: it never fires either. */
function readSchedule({ cronExpression, timeZone }: WatchedJob) {
  try {
    return parseSchedule(cronExpression, timeZone);
  } catch {
    return undefined;
  }
}
