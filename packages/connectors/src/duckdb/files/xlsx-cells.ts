import { FileRefusal } from './file-refusals.ts';

/** A value of a sheet as its reader has it. Times are dates of the workbook's calendar. */
export type Cell = string | number | boolean | Date | null;

/** From which day a workbook counts. */
export type Calendar = '1900' | '1904';

/** `duration`: less than none or more than a day, which a sheet stores like a day of its calendar's first weeks. */
export type SheetKind = 'text' | 'boolean' | 'whole' | 'number' | 'day' | 'moment' | 'time' | 'duration';

const dayMs = 86_400_000;
const firstDayMs: Readonly<Record<Calendar, number>> = {
  1900: Date.UTC(1899, 11, 31),
  1904: Date.UTC(1904, 0, 1),
};
/** The calendar of 1900 has a day that never was, the 29th of February: no date before it is sound. */
const durationDaysMax = 60;
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
  if (Number.isNaN(cell.getTime()) || cell.getUTCFullYear() > lastYear)
    throw new FileRefusal(
      `Row ${row} of the sheet has a date beyond the year ${lastYear} in its column ${column + 1}. Correct it, or show it as a number there.`,
    );
  return kindOfTime(cell, calendar);
}

function kindOfTime(time: Date, calendar: Calendar): 'day' | 'moment' | 'time' | 'duration' {
  const sinceMs = time.getTime() - firstDayMs[calendar];
  if (sinceMs >= 0 && sinceMs < dayMs) return 'time';
  if (sinceMs < durationDaysMax * dayMs) return 'duration';
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
  if (kind === 'duration') return durationText(cell.getTime() - firstDayMs[calendar]);
  return kind === 'day' && type !== 'TIMESTAMP' ? day : `${day}T${clock}`;
}

/** `36:00:00`, or `-06:30:00`. */
function durationText(durationMs: number): string {
  const seconds = Math.abs(durationMs) / 1_000;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return durationMs < 0 ? `-${text}` : text;
}
