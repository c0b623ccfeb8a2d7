import { FileRefusal } from '../file-refusals.ts';

/** A cell in the form of the sheet reader. Times are dates in the workbook's calendar. */
export type Cell = string | number | boolean | Date | null;

/** Date system of a workbook. */
export type Calendar = '1900' | '1904';

export type SheetKind = 'text' | 'boolean' | 'whole' | 'number' | 'day' | 'moment' | 'time';

const dayMs = 86_400_000;
const firstDayMs: Readonly<Record<Calendar, number>> = {
  1900: Date.UTC(1899, 11, 31),
  1904: Date.UTC(1904, 0, 1),
};
/** The 1900 date system has a nonexistent 29 February 1900, which the reader returns as the 28th. */
const doubtfulDayMs = Date.UTC(1900, 1, 28);
const lastYear = 9_999;

/**
 * Returns the kind of a cell.
 *
 * @throws FileRefusal for a date that does not exist, and for a text with half a surrogate pair
 */
export function kindOf(
  cell: Exclude<Cell, null>,
  calendar: Calendar,
  { row, column }: { readonly row: number; readonly column: number },
): SheetKind {
  if (typeof cell === 'string') {
    if (cell.isWellFormed()) return 'text';
    throw new FileRefusal(
      `Row ${row} of the sheet has a text in its column ${column + 1} with half of a character. Correct it.`,
    );
  }
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'whole' : 'number';
  const atMs = cell.getTime();
  const isDoubtful = calendar === '1900' && atMs >= doubtfulDayMs && atMs < doubtfulDayMs + dayMs;
  if (Number.isNaN(atMs) || cell.getUTCFullYear() > lastYear || atMs < firstDayMs[calendar] || isDoubtful)
    throw new FileRefusal(
      `Row ${row} of the sheet has a date in its column ${column + 1} that calendars do not have. Correct it, or show it as a number there.`,
    );
  return kindOfTime(cell, calendar);
}

/** Returns the kind of a date. A date within the first day of the calendar is a time. */
function kindOfTime(time: Date, calendar: Calendar): 'day' | 'moment' | 'time' {
  if (time.getTime() - firstDayMs[calendar] < dayMs) return 'time';
  return time.getTime() % dayMs === 0 ? 'day' : 'moment';
}

/**
 * Types with the kinds that they can represent, the narrowest first. Numbers of a sheet are doubles, regardless of
 * the digits in the file.
 */
const types: readonly (readonly [string, readonly SheetKind[]])[] = [
  ['BOOLEAN', ['boolean']],
  ['BIGINT', ['whole']],
  ['DOUBLE', ['whole', 'number']],
  ['DATE', ['day']],
  ['TIMESTAMP', ['day', 'moment']],
  ['TIME', ['time']],
];

/** Returns the narrowest type for all kinds of a column; VARCHAR if no other type can represent them. */
export const typeOf = (kinds: ReadonlySet<SheetKind>): string =>
  (kinds.size > 0 && types.find(([, held]) => [...kinds].every((kind) => held.includes(kind)))?.[0]) ||
  'VARCHAR';

/** Returns the text of a cell in a column of the type. */
export function textOf(cell: Exclude<Cell, null>, type: string, calendar: Calendar): string {
  if (!(cell instanceof Date)) return String(cell);
  const [day = '', clock = ''] = cell
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '')
    .split('T');
  const kind = kindOfTime(cell, calendar);
  if (kind === 'time') return clock;
  return kind === 'day' && type !== 'TIMESTAMP' ? day : `${day}T${clock}`;
}
