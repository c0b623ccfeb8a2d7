import { type QuietHours, weekdays } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';
import { brokenRule } from '../../platform/http/index.ts';

type Window = QuietHours['windows'][number];

/** Local time in a time zone. */
type LocalTime = {
  readonly weekday: number;
  readonly month: number;
  readonly day: number;
  readonly time: string;
};

const dayMs = 86_400_000;
/** A window lasts at most one day, plus the change of the clock. */
const windowMsMax = dayMs + 7_200_000;

/**
 * Returns the end of the current quiet hours. Adjacent windows count as one. Null: there are none now. A local time that a
 * clock change skips is moved to the first time after it. Of a repeated local time the first applies.
 */
export function quietUntil({ timeZone, windows }: QuietHours, now: Date): Date | null {
  let end = now;
  // At most one step per window and weekday: windows that cover the whole week would never end.
  for (let passed = 0; passed <= windows.length * weekdays.length; passed += 1) {
    const next = endOfOpen(windows, timeZone, end);
    if (next === null) break;
    end = next;
  }
  return end === now ? null : end;
}

/** Returns the latest end of the open windows, or null if no window is open. */
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
  // In the second of two repeated hours the end has already passed.
  return next && next.getTime() - at.getTime() <= windowMsMax
    ? endUnlessPassed(next, at, local, to, timeZone)
    : null;
}

/** Returns the next occurrence of the end, or null if today's occurrence has passed. */
function endUnlessPassed(next: Date, at: Date, local: LocalTime, to: string, timeZone: string): Date | null {
  const ofNext = localOf(next, timeZone);
  const isSameDay = ofNext.day === local.day && ofNext.month === local.month;
  // The local end is later today, but its next occurrence is tomorrow: today's was in the first of the repeated hours.
  return to > local.time && !isSameDay && next.getTime() > at.getTime() ? null : next;
}

function localOf(at: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      month: 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
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

/** Refuses quiet hours with an unknown time zone, and windows whose start and end are equal. */
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
