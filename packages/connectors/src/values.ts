import type { ColumnSources, SourceName } from './lineage/query.ts';

/**
 * How values of every engine arrive:
 *
 * | Column kind | Cell |
 * |---|---|
 * | `boolean` | `true`, `false` |
 * | `integer` | a number while it is a safe integer, else its decimal text |
 * | `decimal` | its text with its scale with `decimalsAsText`, and always of DuckDB; else a number while it has at most 15 significant digits |
 * | `float` | a number; `NaN`, `Infinity` and `-Infinity` as text |
 * | `text`, `uuid` | text |
 * | `date`, `time` | `YYYY-MM-DD`, `HH:MM:SS[.ffffff]` (with an offset when the engine's type has one) |
 * | `timestamp` | `YYYY-MM-DDTHH:MM:SS[.ffffff]`, no zone |
 * | `timestamptz` | the same with `Z`: the engine's session runs in UTC |
 * | `interval` | ISO 8601 duration where the engine has it, else the engine's text |
 * | `binary` | lower-case hexadecimal text without a prefix |
 * | `json` | the JSON text as the engine has it, not parsed, so that its numbers stay exact; lists, structs and maps of DuckDB come as JSON |
 * | `other` | the engine's text |
 *
 * SQL NULL is `null` in every kind. Times that ISO 8601 cannot say (`infinity`, years BC) stay the engine's text.
 */
export type ColumnKind =
  | 'boolean'
  | 'integer'
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

/** One value. Always safe to write as JSON. */
export type Cell = string | number | boolean | null;

/** The table column that a result column is taken from, when the engine can tell. */
export type ColumnOrigin = { readonly column: string; readonly relation?: string };

export type Column = {
  /** As the engine names it; names may repeat. */
  readonly name: string;
  readonly kind: ColumnKind;
  /** The engine's own name of the type. */
  readonly databaseType: string;
  /** The declared type does not bound the values. Only SQLite has such columns. Default false. */
  readonly isLoose?: boolean;
  /** Absent: not asked for. Null: an expression, or the engine cannot tell. */
  readonly origin?: ColumnOrigin | null;
  /** The columns whose values flow into it. Absent: not asked for, or the engine has no parser here. */
  readonly sources?: ColumnSources;
  /** All columns that any value of the statement can come from, where that is known and `sources` is not. */
  readonly reachable?: readonly SourceName[];
};

/** Some rows, column by column: `columns[c][r]` is the value of row `r` in column `c`. */
export type Batch = { readonly rowCount: number; readonly columns: readonly (readonly Cell[])[] };

/** Turns rows into a batch. */
export function batchOfRows(rows: readonly (readonly Cell[])[], columnCount: number): Batch {
  const columns: Cell[][] = [];
  for (let c = 0; c < columnCount; c++) {
    const column = new Array<Cell>(rows.length);
    for (let r = 0; r < rows.length; r++) column[r] = rows[r]?.[c] ?? null;
    columns.push(column);
  }
  return { rowCount: rows.length, columns };
}

const exactDigitsMax = 15;
/** Of numbers nearer to zero a double holds fewer digits, and at last none. */
const leastExact = 2 ** -1022;

/** The cell of a whole number that came as text. */
export function integerCell(text: string): Cell {
  if (text.length < exactDigitsMax) return unsigned(Number(text));
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : text;
}

/** The cell of a decimal number that came as text. */
export function decimalCell(text: string): Cell {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  if (Math.abs(value) < leastExact) return isZero(text) ? unsigned(value) : text;
  if (text.length <= exactDigitsMax) return value;
  return significantDigits(text) <= exactDigitsMax ? value : text;
}

/** The cell of a floating-point number that came as text; one that no double comes near stays text. */
export function floatCell(text: string): Cell {
  const value = Number(text);
  return Number.isFinite(value) && (value !== 0 || isZero(text)) ? value : text;
}

/** The cell of a floating-point number. */
export function finiteCell(value: number): Cell {
  return Number.isFinite(value) ? value : String(value);
}

/** `YYYY-MM-DD HH:MM:SS` as ISO 8601; anything else stays as it is. */
export function timestampCell(text: string): string {
  return text.charCodeAt(10) === 32 && !text.endsWith('C') ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
}

const blank = 0x20;
const dayLength = 10;

/** `YYYY-MM-DD HH:MM:SS+00` as ISO 8601 with `Z`; anything else, such as years of five digits, stays as it is. */
export function utcTimestampCell(text: string): string {
  if (text.charCodeAt(dayLength) !== blank || !text.endsWith('+00')) return text;
  return `${text.slice(0, dayLength)}T${text.slice(dayLength + 1, -3)}Z`;
}

/** Of integers and decimals -0 is 0. */
const unsigned = (value: number): number => (value === 0 ? 0 : value);

const isZero = (text: string): boolean => !/^[^eE]*[1-9]/.test(text);

function significantDigits(text: string): number {
  let count = 0;
  let zerosAtEnd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) {
      if (code === 101 || code === 69) return exactDigitsMax + 1;
      continue;
    }
    if (code === 48) {
      if (count > 0) zerosAtEnd++;
      continue;
    }
    count += zerosAtEnd + 1;
    zerosAtEnd = 0;
  }
  return count;
}
