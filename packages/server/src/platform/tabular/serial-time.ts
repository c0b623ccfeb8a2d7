import type { TimeKind } from './cell-text.ts';

const dayMs = 86_400_000;
/** The serial number of 1970-01-01, counted from 1899-12-30. */
const epochSerial = 25_569;
/** 1900-03-01. Before it spreadsheets count a day that never was. */
const firstSerial = 61;
/** 9999-12-31 with its last moment. */
const lastSerial = 2_958_466;

const dayShape = /^\d{4}-\d\d-\d\d$/;
const timeShape = /^\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;

/**
 * A point in time as spreadsheets count it: days since 1899-12-30, with the time of day as a fraction, to the
 * millisecond.
 *
 * @returns undefined for what a spreadsheet cannot hold as a time: other spellings, days that do not exist, days
 *   before 1900-03-01 or after 9999.
 */
export function serialOf(text: string, kind: TimeKind): number | undefined {
  switch (kind) {
    case 'Time':
      return fractionOf(text);
    case 'Date':
      return daysOf(text);
    case 'Timestamp':
    case 'UtcTimestamp': {
      if (text.charCodeAt(10) !== 84) return undefined;
      const isUtc = text.endsWith('Z');
      if (isUtc !== (kind === 'UtcTimestamp')) return undefined;
      const days = daysOf(text.slice(0, 10));
      const fraction = fractionOf(isUtc ? text.slice(11, -1) : text.slice(11));
      return days === undefined || fraction === undefined ? undefined : days + fraction;
    }
  }
}

function daysOf(text: string): number | undefined {
  if (!dayShape.test(text)) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  // Two-digit years would be taken for those of the last century.
  if (year < 1_900) return undefined;
  const atMs = Date.UTC(year, month - 1, day);
  const serial = atMs / dayMs + epochSerial;
  const isDay = new Date(atMs).getUTCDate() === day && month >= 1 && month <= 12;
  return isDay && serial >= firstSerial && serial < lastSerial ? serial : undefined;
}

function fractionOf(text: string): number | undefined {
  if (!timeShape.test(text)) return undefined;
  const [hours, minutes] = [Number(text.slice(0, 2)), Number(text.slice(3, 5))];
  const seconds = Number(text.slice(6, 8));
  const ms = text.length > 8 ? Math.trunc(Number(`0${text.slice(8)}`) * 1_000) : 0;
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return ((hours * 60 + minutes) * 60_000 + seconds * 1_000 + ms) / dayMs;
}
