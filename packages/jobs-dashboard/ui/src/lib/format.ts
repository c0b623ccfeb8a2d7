const number = new Intl.NumberFormat('en');
const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const dayClock = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

export const wholeNumber = (value: number): string => number.format(value);

/** Returns a count, with a mark for an estimate or a capped count. */
export const countText = (count: number, isEstimate = false, isCapped = false): string =>
  `${isEstimate ? '≈ ' : ''}${number.format(count)}${isCapped ? '+' : ''}`;

export const percent = (share: number): string =>
  share === 0 ? '0 %' : share < 0.001 ? '< 0.1 %' : `${number.format(Math.round(share * 1_000) / 10)} %`;

/** Returns a duration in its usual unit. */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < secondMs) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${Math.round(ms / 100) / 10} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ${Math.round((ms % minuteMs) / secondMs)} s`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ${Math.round((ms % hourMs) / minuteMs)} min`;
  return `${Math.floor(ms / dayMs)} d ${Math.round((ms % dayMs) / hourMs)} h`;
}

/** Returns a time relative to now: "3 min ago", "in 2 h". */
export function relativeTime(at: string, nowMs: number): string {
  const distance = new Date(at).getTime() - nowMs;
  const size = Math.abs(distance);
  if (size < 5 * secondMs) return 'now';
  const [value, unit] =
    size < minuteMs
      ? [Math.round(size / secondMs), 's']
      : size < hourMs
        ? [Math.round(size / minuteMs), 'min']
        : size < 2 * dayMs
          ? [Math.round(size / hourMs), 'h']
          : [Math.round(size / dayMs), 'd'];
  return distance < 0 ? `${value} ${unit} ago` : `in ${value} ${unit}`;
}

export const exactTime = (at: string): string => exact.format(new Date(at));
export const clockTime = (at: string): string => clock.format(new Date(at));
export const clockTimeSeconds = (at: string): string => clockSeconds.format(new Date(at));
export const dayTime = (at: string): string => dayClock.format(new Date(at));

export function bytes(count: number): string {
  const mib = count / 1_048_576;
  return mib < 1_000
    ? `${number.format(Math.round(mib))} MB`
    : `${number.format(Math.round(mib / 102.4) / 10)} GB`;
}
