/** Kinds of columns in the table of types in `docs/guides/data-sources.md`. `wide`: integers beyond 53 bits. */
export type DocumentedKind =
  | 'boolean'
  | 'integer'
  | 'wide'
  | 'decimal'
  | 'float'
  | 'text'
  | 'uuid'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'interval'
  | 'binary'
  | 'json'
  | 'other';

type JsonCell = string | number | boolean | null;

/** Replaces NUL and lone surrogates by U+FFFD, because PostgreSQL cannot store them. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Returns the documented JSON form of a value. `text` is the text of the engine in the form of the table. */
export function jsonForm(kind: DocumentedKind, text: string | null): JsonCell {
  if (text === null) return null;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'integer') return Number(text);
  if (kind === 'float') return Number.isFinite(Number(text)) ? Number(text) + 0 : text;
  return storable(text);
}

const freeText: ReadonlySet<DocumentedKind> = new Set(['text', 'json', 'other']);
const formula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Returns the documented field of a CSV file, without its quotes. */
export function csvForm(kind: DocumentedKind, text: string | null): string {
  const cell = jsonForm(kind, text);
  if (cell === null) return '';
  const plain = String(cell);
  return freeText.has(kind) && formula.test(plain) && !number.test(plain) ? `'${plain}` : plain;
}

/** Cell of a sheet, as in its file. */
export type SheetCell = { readonly type: 'number' | 'boolean' | 'text'; readonly value: string };

const dayMs = 86_400_000;
const epochSerial = 25_569;
const cellCharactersMax = 32_767;
const exactDigitsMax = 15;

/** Returns a time in days since 1899-12-30; undefined for a time that a sheet stores as text. */
function serial(kind: DocumentedKind, text: string): number | undefined {
  const clock = /^([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?$/;
  if (kind === 'time') return clock.test(text) ? Date.parse(`1970-01-01T${text}Z`) / dayMs : undefined;
  const time = kind === 'date' ? `${text}T00:00:00Z` : kind === 'timestamp' ? `${text}Z` : text;
  const days = Date.parse(time) / dayMs + epochSerial;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(time) && days >= 61 ? days : undefined;
}

const times: ReadonlySet<DocumentedKind> = new Set(['date', 'time', 'timestamp', 'timestamptz']);

const exactNumber = /^-?\d+(\.\d+)?$/;

/** Returns the number in the cell of a text; undefined for a text that stays text. */
function sheetNumber(kind: DocumentedKind, text: string): number | undefined {
  if (kind !== 'decimal' && kind !== 'wide') return times.has(kind) ? serial(kind, text) : undefined;
  const digits = text.replace(/\D/g, '').length;
  return exactNumber.test(text) && digits <= exactDigitsMax ? Number(text) : undefined;
}

/** Returns true for a cut text: a start of the value, and a mark with the length of the value. */
function isCutText(full: string, shown: string): boolean {
  const [, start = '', length] = /^(.*)… \[cut: the value has ([\d,]+) characters/s.exec(shown) ?? [];
  return Number(length?.replaceAll(',', '')) === full.length && full.startsWith(start) && start !== '';
}

/** The service and `Date` both truncate a time to milliseconds. */
const tolerance = 1.01 / dayMs;

/** Compares a cell of a sheet with the documented form. Times are exact to the millisecond. */
export function isSheetForm(kind: DocumentedKind, text: string | null, cell: SheetCell | undefined): boolean {
  const expected = jsonForm(kind, text);
  if (expected === null || cell === undefined) return expected === null && cell === undefined;
  if (typeof expected === 'boolean') return cell.type === 'boolean' && cell.value === (expected ? '1' : '0');
  const number = typeof expected === 'number' ? expected : sheetNumber(kind, expected);
  if (number !== undefined) {
    const difference = Math.abs(Number(cell.value) - number);
    return cell.type === 'number' && difference <= (times.has(kind) ? tolerance : 0);
  }
  if (cell.type !== 'text' || typeof expected !== 'string') return false;
  return expected.length <= cellCharactersMax ? cell.value === expected : isCutText(expected, cell.value);
}
