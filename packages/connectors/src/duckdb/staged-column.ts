import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, type DuckDBValue, VARCHAR } from '@duckdb/node-api';
import { jsonFormOf } from '../json-form.ts';
import type { Column } from '../values.ts';

type Present = string | number | boolean;

/** A column of a step's rows while its table is filled. */
export type StagedColumn = {
  readonly type: DuckDBType;
  /** Returns the value as DuckDB has it; undefined for a cell that the column's type cannot represent exactly. */
  readonly write: (cell: Present) => DuckDBValue | undefined;
  /** The type that the column gets when all rows are there. Absent: it keeps `type`. */
  readonly finalType?: () => string;
  readonly finalExpression?: (name: string) => string;
  /** Why the column is text although its step has another type. It ends a sentence that begins with the column. */
  readonly note?: () => string | undefined;
};

/** Integer types of at most 64 bits that leave as text. All others may have values beyond 64 bits. */
const integersWithin64Bits =
  /^(bigint|int unsigned|uinteger|oid|xid|int64|long|(nullable\(|lowcardinality\()*(int(8|16|32|64)|uint(8|16|32))\)*)$/i;

/** Chooses how the cells of a column are staged. */
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
    // Times of day may have an offset, more than 24 hours, or more places than DuckDB has.
    case 'time':
    case 'interval':
    case 'text':
    case 'other':
      return { type: VARCHAR, write: String };
  }
}

const specialDoubles = new Set(['NaN', 'Infinity', '-Infinity']);

/** A text that is no special value is a number beyond doubles. */
function double(cell: Present): DuckDBValue | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && specialDoubles.has(cell) ? Number(cell) : undefined;
}

/** SQLite's columns may have values of any type: the type of the first rows can be disproved by later ones. */
function wholeNumber(cell: Present): bigint | undefined {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? BigInt(cell) : undefined;
  return typeof cell === 'string' && /^-?\d{1,1000}$/.test(cell) ? BigInt(cell) : undefined;
}

/** Types with a size that may have values beyond 32 bits, such as `NUMBER(15,0)` and `bit(40)`. */
function exceeds32Bits(databaseType: string): boolean {
  const [, name = '', size = '0'] = /^(\w+)\((\d+)/.exec(databaseType) ?? [];
  return Number(size) > (name.toLowerCase() === 'bit' ? 32 : 9);
}

/**
 * Stages integers that leave as JSON numbers in a type of 32 bits, so that they leave as numbers after a join, too. The
 * columns of SQLite have names of small types and values of 64 bits: they leave as text in both cases.
 */
function integerColumn(column: Column): StagedColumn {
  const isNumber = jsonFormOf(column) === 'number';
  if (!isNumber && !integersWithin64Bits.test(column.databaseType) && !column.isLoose)
    return largeIntegerColumn();
  let [least, most] = [0n, 0n];
  return {
    type: BIGINT,
    write: (cell) => {
      const whole = wholeNumber(cell);
      if (whole === undefined || whole !== BigInt.asIntN(64, whole)) return undefined;
      if (whole < least) least = whole;
      if (whole > most) most = whole;
      return whole;
    },
    ...(isNumber && !exceeds32Bits(column.databaseType) && { finalType: () => narrowType(least, most) }),
  };
}

function narrowType(least: bigint, most: bigint): string {
  if (BigInt.asIntN(32, least) === least && BigInt.asIntN(32, most) === most) return 'INTEGER';
  return least >= 0n && BigInt.asUintN(32, most) === most ? 'UINTEGER' : 'BIGINT';
}

const hugeDigitsMax = 38;

/** HUGEINT has 128 bits: a column with a value of more digits becomes BIGNUM. */
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
 * Counts digits as the rows arrive: the column becomes the narrowest DECIMAL that has them all exactly. A column with NaN,
 * an infinity or more digits stays text: as DOUBLE all of its values would be rounded.
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

/** DuckDB writes UUIDs in small letters: a column with other spellings stays text. */
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
/** Last years of DATE and of TIMESTAMP, which counts microseconds in 64 bits. */
const yearsMax = { date: 5_874_897, instant: 290_000 } as const;
const placesMax = 6;

/**
 * Returns a day or an instant as DuckDB reads it, with years BC in its own form. Undefined for a day that does not exist,
 * such as the zero dates of MySQL, and for digits beyond microseconds.
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
