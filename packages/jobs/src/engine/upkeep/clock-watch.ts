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

/** Event: the database clock was ahead and was set back. */
export type ClockSetBack = {
  /** Time by which the newest fired tick is ahead of the clock. */
  readonly aheadMs: number;
  /** Number of re-anchored schedules. Without the re-anchor they would fire only when the clock reaches their old due time. */
  readonly scheduleCount: number;
};

/** Check interval. With the minute that a schedule may be late, fewer than two schedule intervals pass without a tick. */
const intervalMs = 15_000;
/** Number of schedules after which the loop yields to other work of the process. */
const turnEvery = 20;

function anchorOf({ key, cron, timeZone, nextDueAt, now }: FarSchedule): Anchor[] {
  try {
    const [expected] = parseSchedule(cron, timeZone).next(1, now);
    return expected && expected < nextDueAt ? [{ key, stoodAt: nextDueAt, nextDueAt: expected }] : [];
  } catch {
    // The scheduler disables an invalid schedule when it is due.
    return [];
  }
}

/**
 * Re-anchors schedules after the clock was set back. Their next due times were computed with the earlier clock, and
 * they would not fire until then.
 *
 * @returns the event; null when no schedule changed.
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

/** Checks the clock every 15 s. */
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
