/** Formats numbers, plurals and times for pages, messages and refusals. No other file formats them. */

const locale = 'en';
const whole = new Intl.NumberFormat(locale);

/** Formats a number: "12,345". */
export const count = (value: number): string => whole.format(value);

/** Formats a number with its noun: "1 row", "3 rows", "2 queries" with `many`. */
export const plural = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Scores and limits have at most this number of decimals; the rest is the error of binary fractions. */
const scoreDecimalsMax = 9;
const scoreError = 1e-11;
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: scoreDecimalsMax });

/** Formats a limit of scores with all its decimals: "79.95". */
export const limitText = (limit: number): string => decimal.format(limit);

function decimalsOf(limit: number): number {
  const exact = Number(limit.toFixed(scoreDecimalsMax));
  let decimals = 0;
  while (Number(exact.toFixed(decimals)) !== exact) decimals += 1;
  return decimals;
}

/**
 * Returns the number to show for a score: with one decimal, or as many as a limit has. It is rounded down, so that it is
 * below a limit exactly if the score is.
 */
export function shownScore(score: number, ...limits: readonly number[]): number {
  const unit = 10 ** Math.max(1, ...limits.map(decimalsOf));
  const shown = Math.floor((score + scoreError) * unit);
  const isAtLimit = limits.some((limit) => score < limit && shown >= Math.round(limit * unit));
  return (isAtLimit ? shown - 1 : shown) / unit;
}

/**
 * Formats a score, or a share in percent, for people: "79.9". No other function formats scores.
 *
 * @param limits  limits that the reader compares with the score.
 */
export const scoreText = (score: number, ...limits: readonly number[]): string =>
  decimal.format(shownScore(score, ...limits));

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
