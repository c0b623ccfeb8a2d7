import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, type DuckDBValue, VARCHAR } from '@duckdb/node-api';
import { jsonFormOf } from '../../json-form.ts';
import type { Column } from '../../values.ts';

type Present = string | number | boolean;

/** A column of a step's table during loading. */
export type StagedColumn = {
  readonly type: DuckDBType;
  /** Returns the DuckDB value; undefined for a cell that the column's type cannot represent exactly. */
  readonly write: (cell: Present) => DuckDBValue | undefined;
  /** Returns the type of the column after the last row. Default: `type`. */
  readonly finalType?: () => string;
  readonly finalExpression?: (name: string) => string;
  /** Returns the reason if the column is text despite another type in its step. The text continues “The column x of y”. */
  readonly note?: () => string | undefined;
};

/** Integer types of at most 64 bits. Any other type with the JSON form `text` may have values beyond 64 bits. */
const integersWithin64Bits =
  /^(bigint|int unsigned|uinteger|oid|xid|int64|long|(nullable\(|lowcardinality\()*(int(8|16|32|64)|uint(8|16|32))\)*)$/i;

/** Selects the staging of a column by its kind. */
export function stagedColumn(column: Column): StagedColumn {
  switch (column.kind) {
    case 'boolean':
      return { type: BOOLEAN, write: (cell) => (typeof cell === 'boolean' ? cell : undefined) };
    case 'float':
      return { type: DOUBLE, write: double };
    case 'decimal':
      return decimalColumn();
    case 'integer':
      return integerColumn(column);
    case 'binary':
      return {
        type: VARCHAR,
        write: (cell) => (typeof cell === 'string' && /^([0-9a-f]{2})*$/.test(cell) ? cell : undefined),
        finalType: () => 'BLOB',
        finalExpression: (name) => `unhex(${name})`,
      };
    case 'date':
      return { type: VARCHAR, write: (cell) => timeText(String(cell), 'date'), finalType: () => 'DATE' };
    case 'timestamp':
      return {
        type: VARCHAR,
        write: (cell) => timeText(String(cell), 'instant'),
        finalType: () => 'TIMESTAMP',
      };
    case 'timestamptz':
      return {
        type: VARCHAR,
        write: (cell) => timeText(String(cell), 'instant'),
        finalType: () => 'TIMESTAMPTZ',
      };
    case 'json':
      return { type: VARCHAR, write: String, finalType: () => 'JSON' };
    case 'uuid':
      return uuidColumn();
    // Times of day may have an offset, more than 24 hours, or more decimal places than DuckDB supports.
    case 'time':
    case 'interval':
    case 'text':
    case 'other':
      return { type: VARCHAR, write: String };
  }
}

const specialDoubles = new Set(['NaN', 'Infinity', '-Infinity']);

/** Returns undefined for a text other than NaN or an infinity: the number is beyond the range of doubles. */
function double(cell: Present): DuckDBValue | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && specialDoubles.has(cell) ? Number(cell) : undefined;
}

/**
 * Returns undefined for any other value. SQLite columns may have values of any type, so later rows may contradict the type
 * of the first rows.
 */
function wholeNumber(cell: Present): bigint | undefined {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? BigInt(cell) : undefined;
  return typeof cell === 'string' && /^-?\d{1,1000}$/.test(cell) ? BigInt(cell) : undefined;
}

/** Returns true for types with a size that may have values beyond 32 bits, such as `NUMBER(15,0)` and `bit(40)`. */
function exceeds32Bits(databaseType: string): boolean {
  const [, name = '', size = '0'] = /^(\w+)\((\d+)/.exec(databaseType) ?? [];
  return Number(size) > (name.toLowerCase() === 'bit' ? 32 : 9);
}

/**
 * Stages an integer column. Integers with the JSON form `number` get a 32-bit type if their values fit, so that they remain
 * JSON numbers after a join. SQLite columns may have 64-bit values despite the name of a small type. They are text in JSON,
 * with and without a join.
 */
function integerColumn(column: Column): StagedColumn {
  const isNumber = jsonFormOf(column) === 'number';
  if (!isNumber && !integersWithin64Bits.test(column.databaseType) && !column.isLoose)
    return largeIntegerColumn();
  let [least, most] = [0n, 0n];
  return {
    type: BIGINT,
    write: (cell) => {
      const integer = wholeNumber(cell);
      if (integer === undefined || integer !== BigInt.asIntN(64, integer)) return undefined;
      if (integer < least) least = integer;
      if (integer > most) most = integer;
      return integer;
    },
    ...(isNumber && !exceeds32Bits(column.databaseType) && { finalType: () => narrowType(least, most) }),
  };
}

function narrowType(least: bigint, most: bigint): string {
  if (BigInt.asIntN(32, least) === least && BigInt.asIntN(32, most) === most) return 'INTEGER';
  return least >= 0n && BigInt.asUintN(32, most) === most ? 'UINTEGER' : 'BIGINT';
}

const hugeDigitsMax = 38;

/** Stages a column as HUGEINT, which has 128 bits. A column with a value of more than 38 digits becomes BIGNUM. */
function largeIntegerColumn(): StagedColumn {
  let digits = 1;
  return {
    type: VARCHAR,
    write: (cell) => {
      const text = wholeNumber(cell)?.toString();
      digits = Math.max(digits, text?.replace('-', '').length ?? 0);
      return text;
    },
    finalType: () => (digits <= hugeDigitsMax ? 'HUGEINT' : 'BIGNUM'),
  };
}

const widthMin = 18;
const widthMax = 38;

/**
 * Counts digits during loading. The column becomes the narrowest DECIMAL of at least 18 digits that represents all values
 * exactly. A column with NaN, an infinity or more than 38 digits stays text, because DOUBLE would round all its values.
 */
function decimalColumn(): StagedColumn {
  let wholeDigits = 1;
  let scale = 0;
  let areAllDecimals = true;
  const isDecimal = () => areAllDecimals && wholeDigits + scale <= widthMax;
  return {
    type: VARCHAR,
    write: (cell) => {
      const text = String(cell);
      const match = /^-?(\d+)(?:\.(\d+))?$/.exec(text);
      if (!match) areAllDecimals = false;
      wholeDigits = Math.max(wholeDigits, match?.[1]?.length ?? 1);
      scale = Math.max(scale, match?.[2]?.length ?? 0);
      return text;
    },
    finalType: () =>
      isDecimal() ? `DECIMAL(${Math.max(widthMin, wholeDigits + scale)}, ${scale})` : 'VARCHAR',
    note: () =>
      isDecimal() ? undefined : `is text here: it has NaN, an infinity or more than ${widthMax} digits`,
  };
}

/** Stages a column as UUID. A column with upper-case letters stays text, because DuckDB writes UUIDs in lower case. */
function uuidColumn(): StagedColumn {
  let areCanonical = true;
  return {
    type: VARCHAR,
    write: (cell) => {
      const text = String(cell);
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) areCanonical = false;
      return text;
    },
    finalType: () => (areCanonical ? 'UUID' : 'VARCHAR'),
  };
}

const timeForm =
  /^(\d{4,7})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::\d\d)?)?)?( BC)?$/;
/** Last years of DATE and of TIMESTAMP. A TIMESTAMP counts microseconds in 64 bits. */
const yearsMax = { date: 5_874_897, instant: 290_000 } as const;
const placesMax = 6;

/**
 * Returns a day or an instant in DuckDB's form, including years BC. Returns undefined for a nonexistent day, such as a zero
 * date of MySQL, and for digits beyond microseconds.
 */
function timeText(text: string, kind: keyof typeof yearsMax): string | undefined {
  if (text === 'infinity' || text === '-infinity') return text;
  const [, year = '', month = '', day = '', clock, fraction = '', zone = '', bc] = timeForm.exec(text) ?? [];
  if (year === '' || (clock === undefined) !== (kind === 'date')) return undefined;
  const isReal =
    Number(year) >= 1 &&
    Number(year) <= yearsMax[kind] &&
    isDay(Number(year), Number(month), Number(day), bc !== undefined);
  if (!isReal || /[^0]/.test(fraction.slice(placesMax))) return undefined;
  const date = `${year}-${month}-${day}${bc ? ' (BC)' : ''}`;
  if (clock === undefined) return date;
  return `${date} ${clock}${fraction === '' ? '' : `.${fraction.slice(0, placesMax)}`}${zone}`;
}

function isDay(year: number, month: number, day: number, isBc: boolean): boolean {
  const calendarYear = isBc ? 1 - year : year;
  const isLeap = (calendarYear % 4 === 0 && calendarYear % 100 !== 0) || calendarYear % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
