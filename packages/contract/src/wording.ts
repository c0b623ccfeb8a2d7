/** Formats numbers, plurals and times for pages, messages and refusals. No other file formats them. */

const locale = 'en';
const whole = new Intl.NumberFormat(locale);

/** Formats a number: "12,345". */
export const count = (value: number): string => whole.format(value);

/** Formats a number with its noun: "1 row", "3 rows", "2 queries" with `many`. */
export const plural = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ['second', 1, 60],
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, 7 * 86_400],
  ['week', 7 * 86_400, 60 * 86_400],
  ['month', 30.44 * 86_400, 700 * 86_400],
  ['year', 365.25 * 86_400, Number.POSITIVE_INFINITY],
];
const nowSeconds = 5;

/**
 * Formats the distance of a time from now: "3 min ago", "in 2 days". Units have no full stop, so that a sentence can
 * end with them. After "until" or "since", use `untilTime`.
 */
export function relativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1_000;
  const distance = Math.abs(seconds);
  if (distance < nowSeconds) return 'now';
  const [unit, size] = steps.find(([, , limit]) => distance < limit) ?? ['year' as const, 31_557_600];
  return relative.format(Math.trunc(seconds / size), unit).replaceAll('.', '');
}

/** Formats a time in a zone: "Mon 23 Nov, 08:00"; with seconds on request. */
export const shortTime = (time: string, zone: string, hasSeconds = false): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' }),
    hourCycle: 'h23',
    timeZone: zone,
  }).format(new Date(time));

/** Formats the end of a period in a zone: "until Mon 23 Nov, 08:00". */
export const untilTime = (time: string, zone: string): string => `until ${shortTime(time, zone)}`;
