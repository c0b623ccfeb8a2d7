import { FileRefusal } from './file-refusals.ts';

/** A value of a sheet as its reader has it. Times are dates of the workbook's calendar. */
export type Cell = string | number | boolean | Date | null;

/** From which day a workbook counts. */
export type Calendar = '1900' | '1904';

export type SheetKind = 'text' | 'boolean' | 'whole' | 'number' | 'day' | 'moment' | 'time';

const dayMs = 86_400_000;
const firstDayMs: Readonly<Record<Calendar, number>> = {
  1900: Date.UTC(1899, 11, 31),
  1904: Date.UTC(1904, 0, 1),
};
/** The calendar of 1900 has a 29th of February, which the reader takes for the 28th. */
const doubtfulDayMs = Date.UTC(1900, 1, 28);
const lastYear = 9_999;

/**
 * Returns the kind of a cell.
 *
 * @throws FileRefusal for a date that no calendar has
 */
export function kindOf(
  cell: Exclude<Cell, null>,
  calendar: Calendar,
  { row, column }: { readonly row: number; readonly column: number },
): SheetKind {
  if (typeof cell === 'string') return 'text';
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

/** A part of the first day is a time. */
function kindOfTime(time: Date, calendar: Calendar): 'day' | 'moment' | 'time' {
  if (time.getTime() - firstDayMs[calendar] < dayMs) return 'time';
  return time.getTime() % dayMs === 0 ? 'day' : 'moment';
}

/** Types by the kinds that they hold, the narrowest first. Numbers of a sheet are doubles, whatever digits the file has. */
const types: readonly (readonly [string, readonly SheetKind[]])[] = [
  ['BOOLEAN', ['boolean']],
  ['BIGINT', ['whole']],
  ['DOUBLE', ['whole', 'number']],
  ['DATE', ['day']],
  ['TIMESTAMP', ['day', 'moment']],
  ['TIME', ['time']],
];

/** The narrowest type that holds all kinds of a column. */
export const typeOf = (kinds: ReadonlySet<SheetKind>): string =>
  (kinds.size > 0 && types.find(([, held]) => [...kinds].every((kind) => held.includes(kind)))?.[0]) ||
  'VARCHAR';

/** The text of a cell in a column of the type. */
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
