import type { TimeKind } from './cell-text.ts';

const dayMs = 86_400_000;
/** Serial number of 1970-01-01, counted from 1899-12-30. */
const epochSerial = 25_569;
/** 1900-03-01. Before it, spreadsheets count a day that does not exist. */
const firstSerial = 61;
/** First serial after 9999-12-31. */
const lastSerial = 2_958_466;

const dayLength = 10;
const zero = 0x30;
const digitsOfFractionMax = 9;

/**
 * Returns the spreadsheet serial of a timestamp: days since 1899-12-30, with the time of day as a fraction, to the
 * millisecond.
 *
 * @returns undefined for unsupported values: other spellings, days that do not exist, days before 1900-03-01 or
 * after 9999.
 */
export function serialOf(text: string, kind: TimeKind): number | undefined {
  switch (kind) {
    case 'Time':
      return fractionOf(text, 0, text.length);
    case 'Date':
      return text.length === dayLength ? daysOf(text) : undefined;
    case 'Timestamp':
    case 'UtcTimestamp': {
      if (text.charCodeAt(dayLength) !== 84) return undefined;
      const isUtc = text.endsWith('Z');
      if (isUtc !== (kind === 'UtcTimestamp')) return undefined;
      const days = daysOf(text);
      const fraction = fractionOf(text, dayLength + 1, isUtc ? text.length - 1 : text.length);
      return days === undefined || fraction === undefined ? undefined : days + fraction;
    }
  }
}

/** Returns the number of the given digits; NaN if they contain another character. */
function numberAt(text: string, at: number, digits: number): number {
  let number = 0;
  for (let place = at; place < at + digits; place += 1) {
    const digit = text.charCodeAt(place) - zero;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * Returns the serial number of the leading day of a text, `YYYY-MM-DD`. Parses in place, because a file contains
 * millions of them.
 */
function daysOf(text: string): number | undefined {
  if (text[4] !== '-' || text[7] !== '-') return undefined;
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 2), numberAt(text, 8, 2)];
  // `Date.UTC` would read two-digit years as years of the last century. NaN fails this check as well.
  if (!(year >= 1_900 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  const atMs = Date.UTC(year, month - 1, day);
  const serial = atMs / dayMs + epochSerial;
  const isDay = day <= 28 || new Date(atMs).getUTCDate() === day;
  return isDay && serial >= firstSerial && serial < lastSerial ? serial : undefined;
}

/** Returns the fraction of a day for `HH:MM:SS[.fraction]` between two positions of a text. */
function fractionOf(text: string, start: number, end: number): number | undefined {
  if (end - start < 8 || text[start + 2] !== ':' || text[start + 5] !== ':') return undefined;
  const hours = numberAt(text, start, 2);
  const minutes = numberAt(text, start + 3, 2);
  const seconds = numberAt(text, start + 6, 2);
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return undefined;
  const ms = end - start === 8 ? 0 : msOf(text, start + 8, end);
  return ms === undefined ? undefined : ((hours * 60 + minutes) * 60_000 + seconds * 1_000 + ms) / dayMs;
}

/** Returns whole milliseconds of a fraction of a second, including its point. */
function msOf(text: string, start: number, end: number): number | undefined {
  const digits = end - start - 1;
  if (text[start] !== '.' || digits < 1 || digits > digitsOfFractionMax) return undefined;
  const number = numberAt(text, start + 1, digits);
  return Number.isNaN(number) ? undefined : Math.trunc(number * 10 ** (3 - digits));
}
