import { type QuietHours, type Weekday, weekdays } from '@svc/contract';

export type QuietWindow = QuietHours['windows'][number];

/** Returns the default quiet hours: every night. */
export const firstQuietHours = (timeZone: string): QuietHours => ({
  timeZone,
  windows: [{ days: [...weekdays], from: '22:00', to: '07:00' }],
  criticalPasses: false,
});

/** Returns the numbers of weekdays, where 0 is Sunday, as in cron schedules. */
export const numbersOf = (days: readonly Weekday[]): readonly number[] =>
  days.map((day) => (weekdays.indexOf(day) + 1) % weekdays.length);

/** Returns the weekdays of numbers, where 0 is Sunday, in the order of the week. */
export const namesOf = (numbers: readonly number[]): Weekday[] =>
  weekdays.filter((_, index) => numbers.includes((index + 1) % weekdays.length));

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Returns the error of a window. Undefined if it is valid. */
export function windowError({ days, from, to }: QuietWindow): string | undefined {
  if (days.length === 0) return 'Choose a day.';
  if (!isTime(from) || !isTime(to)) return 'Give both times.';
  return from === to ? 'The two times must differ.' : undefined;
}

const spanOf = (days: readonly Weekday[]): string => {
  if (days.length === weekdays.length) return 'every day';
  const short = (day: Weekday | undefined) => (day ?? '').slice(0, 3);
  const indices = days.map((day) => weekdays.indexOf(day)).toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [indices[0], indices.at(-1)];
  const isRun = indices.length > 2 && last - first === indices.length - 1;
  return isRun
    ? `${short(weekdays[first])} to ${short(weekdays[last])}`
    : indices.map((index) => short(weekdays[index])).join(', ');
};

/** Describes the quiet hours. */
export function quietInWords(quiet: QuietHours | null): string {
  if (quiet === null) return 'None';
  const windows = quiet.windows.map(({ days, from, to }) => `${from} to ${to}, ${spanOf(days)}`);
  return `${windows.join('; ')} (${quiet.timeZone})`;
}
