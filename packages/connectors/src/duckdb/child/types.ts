import {
  type DuckDBDataChunk,
  DuckDBIntervalValue,
  type DuckDBResult,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';
import {
  type Cell,
  type Column,
  type ColumnKind,
  finiteCell,
  integerCell,
  timestampCell,
  utcTimestampCell,
} from '../../values.ts';
import { withoutLabels } from '../type-text.ts';

const kinds = new Map<DuckDBTypeId, ColumnKind>([
  [DuckDBTypeId.BOOLEAN, 'boolean'],
  [DuckDBTypeId.TINYINT, 'integer'],
  [DuckDBTypeId.SMALLINT, 'integer'],
  [DuckDBTypeId.INTEGER, 'integer'],
  [DuckDBTypeId.BIGINT, 'integer'],
  [DuckDBTypeId.UTINYINT, 'integer'],
  [DuckDBTypeId.USMALLINT, 'integer'],
  [DuckDBTypeId.UINTEGER, 'integer'],
  [DuckDBTypeId.UBIGINT, 'integer'],
  [DuckDBTypeId.HUGEINT, 'integer'],
  [DuckDBTypeId.UHUGEINT, 'integer'],
  [DuckDBTypeId.BIGNUM, 'integer'],
  [DuckDBTypeId.FLOAT, 'float'],
  [DuckDBTypeId.DOUBLE, 'float'],
  [DuckDBTypeId.DECIMAL, 'decimal'],
  [DuckDBTypeId.VARCHAR, 'text'],
  [DuckDBTypeId.ENUM, 'text'],
  [DuckDBTypeId.UUID, 'uuid'],
  [DuckDBTypeId.BLOB, 'binary'],
  [DuckDBTypeId.DATE, 'date'],
  [DuckDBTypeId.TIME, 'time'],
  [DuckDBTypeId.TIME_NS, 'time'],
  [DuckDBTypeId.TIME_TZ, 'time'],
  [DuckDBTypeId.TIMESTAMP, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_S, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_MS, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_NS, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'timestamptz'],
  [DuckDBTypeId.INTERVAL, 'interval'],
  [DuckDBTypeId.LIST, 'json'],
  [DuckDBTypeId.ARRAY, 'json'],
  [DuckDBTypeId.STRUCT, 'json'],
  [DuckDBTypeId.MAP, 'json'],
  [DuckDBTypeId.UNION, 'json'],
  [DuckDBTypeId.VARIANT, 'json'],
]);

/** Name, kind and engine type of each result column. */
export function duckdbColumns(result: DuckDBResult): Column[] {
  return result.columnNames().map((name, index) => {
    const type = result.columnType(index);
    const isJson = type.alias?.toUpperCase() === 'JSON';
    return {
      name,
      kind: isJson ? 'json' : (kinds.get(type.typeId) ?? 'other'),
      databaseType: withoutLabels(type.alias ?? type.toString()).toLowerCase(),
      origin: null,
    };
  });
}

const nestedTypes = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
]);

declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` writes as this text: a number, a string, a boolean or null. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/**
 * Converts values inside lists, structs and maps to the forms of columns, with all digits of numbers. The converter of the
 * driver writes infinite days as finite days, 4-byte floats with additional digits, and intervals as objects.
 */
const exactJson: DuckDBValueConverter<Json> = (value, type, converter) => {
  if (value === null || nestedTypes.has(type.typeId)) return JsonDuckDBValueConverter(value, type, converter);
  const kind = kinds.get(type.typeId) ?? 'other';
  const isExact = kind === 'integer' || kind === 'decimal';
  return isExact ? JSON.rawJSON(String(value)) : cellOf(value, type);
};

/** Returns the cells of one column of a chunk. */
export function duckdbCells(chunk: DuckDBDataChunk, index: number, type: DuckDBType): Cell[] {
  if (nestedTypes.has(type.typeId)) {
    return chunk
      .convertColumnValues(index, exactJson)
      .map((value) => (value === null ? null : JSON.stringify(value)));
  }
  return chunk.getColumnValues(index).map((value) => (value === null ? null : cellOf(value, type)));
}

/** Returns the cell of a value that is neither NULL nor nested. */
function cellOf(value: DuckDBValue, type: DuckDBType): Cell {
  const read = readers.get(kinds.get(type.typeId) ?? 'other') ?? textCell;
  return read(value, type);
}

const textCell = (value: DuckDBValue): Cell => (typeof value === 'string' ? value : String(value));

const readers = new Map<ColumnKind, (value: DuckDBValue, type: DuckDBType) => Cell>([
  ['boolean', (value) => value === true],
  ['integer', wholeNumberCell],
  ['float', floatingCell],
  ['decimal', (value) => String(value)],
  ['binary', binaryCell],
  ['date', dateCell],
  ['interval', intervalCell],
  ['timestamp', instantCell],
  ['timestamptz', zonedCell],
]);

function wholeNumberCell(value: DuckDBValue): Cell {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') return String(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : integerCell(value.toString());
}

function floatingCell(value: DuckDBValue, type: DuckDBType): Cell {
  if (typeof value !== 'number') return String(value);
  return finiteCell(type.typeId === DuckDBTypeId.FLOAT ? shortestFloat(value) : value);
}

/**
 * Returns the shortest decimal that is the same 4-byte float. Returns the value itself, as the engine does, if its
 * shortest decimal is ambiguous: in the middle between two floats, or one of two that are equally near.
 */
function shortestFloat(value: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    const rounded = Math.fround(candidate);
    const mirrored: number = 2 * candidate - value;
    const isMiddle = mirrored !== value && Math.fround(mirrored) === mirrored;
    if (isMiddle && (rounded === value || rounded === mirrored)) return value;
    if (rounded === value) return isHalfway(value, digits) ? value : candidate;
  }
  return value;
}

/** Returns true for a value exactly in the middle between two decimals of this number of digits. */
function isHalfway(value: number, digits: number): boolean {
  const longer = value.toPrecision(digits + 1);
  return Number(longer) === value && /5(?:e|$)/.test(longer);
}

function binaryCell(value: DuckDBValue): Cell {
  if (typeof value !== 'object' || value === null || !('bytes' in value)) return String(value);
  return value.bytes instanceof Uint8Array ? Buffer.from(value.bytes).toString('hex') : String(value);
}

const microsPerSecond = 1_000_000n;
const secondsPerMinute = 60n;
const monthsPerYear = 12;

/** Formats an interval in PostgreSQL's ISO 8601 form, so that both engines have one form: `P1Y2M3DT4H5M6.7S`. */
function intervalCell(value: DuckDBValue): Cell {
  if (!(value instanceof DuckDBIntervalValue)) return String(value);
  const { months, days, micros } = value;
  const part = (count: number | bigint, unit: string) => (Number(count) === 0 ? '' : `${count}${unit}`);
  const date =
    part(Math.trunc(months / monthsPerYear), 'Y') + part(months % monthsPerYear, 'M') + part(days, 'D');
  const seconds = micros / microsPerSecond;
  const minutes = seconds / secondsPerMinute;
  const time =
    part(minutes / secondsPerMinute, 'H') +
    part(minutes % secondsPerMinute, 'M') +
    secondsPart(seconds % secondsPerMinute, micros % microsPerSecond);
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}

function secondsPart(seconds: bigint, micros: bigint): string {
  if (seconds === 0n && micros === 0n) return '';
  const sign = seconds < 0n || micros < 0n ? '-' : '';
  const absoluteSeconds = seconds < 0n ? -seconds : seconds;
  const fraction = String(micros < 0n ? -micros : micros)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${sign}${absoluteSeconds}${fraction === '' ? '' : `.${fraction}`}S`;
}

/** DuckDB represents infinity as the largest count of a unit, positive or negative. */
const infiniteCount = 2n ** 63n - 1n;

/** Formats a timestamp. The binding writes infinite seconds, milliseconds and nanoseconds as finite timestamps. */
function instantCell(value: DuckDBValue): Cell {
  const count = countOf(value);
  if (count === infiniteCount) return 'infinity';
  return count === -infiniteCount ? '-infinity' : timestampCell(yearsBc(String(value)));
}

function countOf(value: DuckDBValue): bigint | undefined {
  if (value instanceof DuckDBTimestampSecondsValue) return value.seconds;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis;
  return value instanceof DuckDBTimestampNanosecondsValue ? value.nanos : undefined;
}

/** Formats a timestamp with time zone. The process runs in UTC, so the offset is always +00. */
function zonedCell(value: DuckDBValue): Cell {
  return utcTimestampCell(yearsBc(String(value)));
}

/** Writes BC at the end without brackets, as PostgreSQL does, so that both engines have one form. */
const yearsBc = (text: string): string => {
  // The driver writes 1 BC as the year 0.
  if (text.startsWith('0000-')) return `0001${text.slice('0000'.length)} BC`;
  return text.includes(' (BC)') ? `${text.replace(' (BC)', '')} BC` : text;
};

/** DuckDB represents infinity as the largest number of days, positive or negative. The binding writes a day. */
const infiniteDays = 2 ** 31 - 1;

function dateCell(value: DuckDBValue): Cell {
  const days = typeof value === 'object' && value !== null && 'days' in value ? value.days : undefined;
  if (days === infiniteDays) return 'infinity';
  return days === -infiniteDays ? '-infinity' : yearsBc(String(value));
}
