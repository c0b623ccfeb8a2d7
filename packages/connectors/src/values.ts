import type { ColumnSources, SourceName } from './lineage/query.ts';

/**
 * Kind of a column. It determines how the values of every engine arrive:
 *
 * | Column kind | Cell |
 * |---|---|
 * | `boolean` | `true`, `false` |
 * | `integer` | a number while it is a safe integer, else its decimal text |
 * | `decimal` | text with its scale for DuckDB and with `decimalsAsText`; else a number up to 15 significant digits |
 * | `float` | a number; `NaN`, `Infinity` and `-Infinity` as text |
 * | `text`, `uuid` | text |
 * | `date`, `time` | `YYYY-MM-DD`, `HH:MM:SS[.ffffff]` (with an offset when the engine's type has one) |
 * | `timestamp` | `YYYY-MM-DDTHH:MM:SS[.ffffff]`, no zone |
 * | `timestamptz` | the same with `Z`: the engine's session runs in UTC |
 * | `interval` | ISO 8601 duration where the engine has it, else the engine's text |
 * | `binary` | lower-case hexadecimal text without a prefix |
 * | `json` | the engine's own JSON text, unparsed, so that its numbers stay exact; also lists, structs and maps of DuckDB |
 * | `other` | the engine's text |
 *
 * SQL NULL is `null` in every kind. Times that ISO 8601 cannot represent (`infinity`, years BC) remain the engine's
 * text.
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

/** Table column from which a result column comes, if the engine reports it. */
export type ColumnOrigin = { readonly column: string; readonly relation?: string };

export type Column = {
  /** Name that the engine reports; names may repeat. */
  readonly name: string;
  readonly kind: ColumnKind;
  /** The engine's own name of the type. */
  readonly databaseType: string;
  /** The declared type does not bound the values. Only SQLite has such columns. Default false. */
  readonly isLoose?: boolean;
  /** Absent: not requested. Null: an expression, or the engine does not report it. */
  readonly origin?: ColumnOrigin | null;
  /** Columns whose values flow into it. Absent: not requested, or this service has no parser for the engine. */
  readonly sources?: ColumnSources;
  /** All columns that any value of the statement can come from, if they are known and `sources` is not. */
  readonly reachable?: readonly SourceName[];
};

/** Some rows, column by column: `columns[c][r]` is the value of row `r` in column `c`. */
export type Batch = { readonly rowCount: number; readonly columns: readonly (readonly Cell[])[] };

/** Converts rows to a batch. */
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
/** Below this magnitude a double has fewer digits, and finally none. */
const leastExact = 2 ** -1022;

/** Returns the cell of an integer that arrived as text. */
export function integerCell(text: string): Cell {
  if (text.length < exactDigitsMax) return unsigned(Number(text));
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : text;
}

/** Returns the cell of a decimal number that arrived as text. */
export function decimalCell(text: string): Cell {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  if (Math.abs(value) < leastExact) return isZero(text) ? unsigned(value) : text;
  if (text.length <= exactDigitsMax) return value;
  return significantDigits(text) <= exactDigitsMax ? value : text;
}

/** Returns the cell of a floating-point number that arrived as text. A number outside the range of doubles stays text. */
export function floatCell(text: string): Cell {
  const value = Number(text);
  return Number.isFinite(value) && (value !== 0 || isZero(text)) ? value : text;
}

/** Returns the cell of a floating-point number. */
export function finiteCell(value: number): Cell {
  return Number.isFinite(value) ? value : String(value);
}

/** Converts `YYYY-MM-DD HH:MM:SS` to ISO 8601; any other text remains unchanged. */
export function timestampCell(text: string): string {
  return text.charCodeAt(10) === 32 && !text.endsWith('C') ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
}

const blank = 0x20;
const dayLength = 10;

/**
 * Converts `YYYY-MM-DD HH:MM:SS+00` to ISO 8601 with `Z`; any other text, such as a year of five digits, remains
 * unchanged.
 */
export function utcTimestampCell(text: string): string {
  if (text.charCodeAt(dayLength) !== blank || !text.endsWith('+00')) return text;
  return `${text.slice(0, dayLength)}T${text.slice(dayLength + 1, -3)}Z`;
}

/** Converts -0 to 0 for integers and decimals. */
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
