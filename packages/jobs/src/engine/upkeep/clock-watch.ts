import { setImmediate } from 'node:timers/promises';
import { parseSchedule } from '../../cron/parse-schedule.ts';
import { errorText } from '../../errors.ts';
import {
  type Anchor,
  type FarSchedule,
  reAnchorSchedules,
  readFarSchedules,
} from '../../sql/schedules/re-anchor.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';

/** The database's clock was ahead and has been set back. */
export type ClockSetBack = {
  /** How far ahead the last schedule fired, seen from now. */
  readonly aheadMs: number;
  /** Schedules that would have waited until the clock is there again. */
  readonly scheduleCount: number;
};

/** With the minute that a schedule may be late, less than two intervals pass in silence. */
const intervalMs = 15_000;
/** Others get their turn after that many schedules. */
const turnEvery = 20;

function anchorOf({ key, cron, timeZone, nextDueAt, now }: FarSchedule): Anchor[] {
  try {
    const [expected] = parseSchedule(cron, timeZone).next(1, now);
    return expected && expected < nextDueAt ? [{ key, stoodAt: nextDueAt, nextDueAt: expected }] : [];
  } catch {
    // The scheduler switches it off when it comes due.
    return [];
  }
}

/**
 * Anchors schedules anew after the clock was set back: their next due times were computed by the clock that was ahead,
 * and nothing would fire until then.
 *
 * @returns what happened; null while the clock is in order.
 */
export async function checkClock(sql: Sql): Promise<ClockSetBack | null> {
  const schedules = await readFarSchedules(sql);
  const [first] = schedules;
  if (!first) return null;
  const anchors: Anchor[] = [];
  for (const [index, schedule] of schedules.entries()) {
    anchors.push(...anchorOf(schedule));
    if (index % turnEvery === turnEvery - 1) await setImmediate();
  }
  const keys = await reAnchorSchedules(sql, anchors);
  return keys.length === 0 ? null : { aheadMs: first.aheadMs, scheduleCount: keys.length };
}

/** Checks the clock at short intervals. */
export function startClockWatch(deps: {
  readonly sql: Sql;
  readonly logger: JobsLogger;
  readonly onSetBack: (event: ClockSetBack) => void;
}): Loop {
  const { sql, logger, onSetBack } = deps;
  return startLoop('check the clock', logger, async () => {
    const event = await checkClock(sql);
    if (event) {
      logger.warn({ ...event }, 'the clock was set back: schedules were anchored anew');
      try {
        onSetBack(event);
      } catch (error) {
        logger.error({ error: errorText(error) }, 'onClockSetBack threw');
      }
    }
    return intervalMs;
  });
}
