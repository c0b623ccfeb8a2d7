import { type QuietHours, weekdays } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';
import { brokenRule } from '../../platform/http/index.ts';

type Window = QuietHours['windows'][number];

/** A moment as clocks show it somewhere. */
type LocalTime = {
  readonly weekday: number;
  readonly month: number;
  readonly day: number;
  readonly time: string;
};

const dayMs = 86_400_000;
/** No window is longer than a day, but for the hour that a change of the clock adds. */
const windowMsMax = dayMs + 7_200_000;

/**
 * When quiet hours end that are on at a moment; windows that meet are one. Null: they are not on. A time that a change
 * of the clock leaves out is the first one after it; of two equal times it is the first.
 */
export function quietUntil({ timeZone, windows }: QuietHours, now: Date): Date | null {
  let end = now;
  // Each window of each day once: windows that cover all days end somewhere all the same.
  for (let passed = 0; passed <= windows.length * weekdays.length; passed += 1) {
    const next = endOfOpen(windows, timeZone, end);
    if (next === null) break;
    end = next;
  }
  return end === now ? null : end;
}

/** The latest end of the windows that are open at a moment; null: none is. */
function endOfOpen(windows: readonly Window[], timeZone: string, at: Date): Date | null {
  const local = localOf(at, timeZone);
  const ends = windows
    .map((window) => endOf(window, local, timeZone, at))
    .filter((end) => end !== null)
    .map((end) => end.getTime());
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}

function endOf({ days, from, to }: Window, local: LocalTime, timeZone: string, at: Date): Date | null {
  const beginsOn = (weekday: number) =>
    days.includes(weekdays[(weekday + weekdays.length) % weekdays.length] ?? 'Monday');
  const isOvernight = to <= from;
  const beganToday = beginsOn(local.weekday) && local.time >= from && (isOvernight || local.time < to);
  const beganYesterday = isOvernight && beginsOn(local.weekday - 1) && local.time < to;
  if (!beganToday && !beganYesterday) return null;
  const [hour, minute] = to.split(':').map(Number);
  const [next] = parseSchedule(`${minute} ${hour} * * *`, timeZone).next(1, at);
  // In the second of two equal hours the end has passed already.
  return next && next.getTime() - at.getTime() <= windowMsMax
    ? endUnlessPassed(next, at, local, to, timeZone)
    : null;
}

/** The next time that the clock shows the end; null where that is of the day after, since today's has passed. */
function endUnlessPassed(next: Date, at: Date, local: LocalTime, to: string, timeZone: string): Date | null {
  const ofNext = localOf(next, timeZone);
  const isSameDay = ofNext.day === local.day && ofNext.month === local.month;
  // Later today by the clock, and yet the next such time is tomorrow: today's was in the first of the two hours.
  return to > local.time && !isSameDay && next.getTime() > at.getTime() ? null : next;
}

function localOf(at: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'long' },
      ...{ month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    weekday: weekdays.findIndex((name) => name === parts['weekday']),
    month: Number(parts['month']),
    day: Number(parts['day']),
    time: `${parts['hour']}:${parts['minute']}`,
  };
}

/** Refuses quiet hours of a time zone that is none, and windows that end where they begin. */
export function requireClockTimes(quiet: QuietHours | null): void {
  if (quiet === null) return;
  const refuse = (path: string, message: string): never => {
    throw brokenRule('invalid-quiet-hours', 'These quiet hours cannot be kept.', [
      { path: `/quietHours/${path}`, message },
    ]);
  };
  try {
    parseSchedule('0 0 * * *', quiet.timeZone);
  } catch {
    refuse('timeZone', 'is no time zone, such as Europe/Zagreb');
  }
  const never = quiet.windows.findIndex(({ from, to }) => from === to);
  if (never !== -1) refuse(`windows/${never}/to`, 'must differ from `from`: the window is never open');
}
