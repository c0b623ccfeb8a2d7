import type { Cell } from '../../values.ts';
import type { RejectionCode } from '../../writers/port.ts';
import type { MysqlColumn } from './describe.ts';
import { literal } from './names.ts';

/** Rejection of a cell that the column cannot represent unchanged. */
export class Rejection {
  readonly code: RejectionCode;

  constructor(code: RejectionCode) {
    this.code = code;
  }
}

const invalidText = new Rejection('invalid-text');
const invalidTime = new Rejection('invalid-time');
const invalidValue = new Rejection('invalid-value');
const inexact = new Rejection('inexact');
const tooLong = new Rejection('too-long');
const outOfRange = new Rejection('out-of-range');
const nullValue = new Rejection('null-value');

type Value = string | number | boolean;
/** Encodes one cell that is not NULL as an SQL literal. */
export type CellEncoder = (cell: Value) => string | Rejection;

/**
 * Returns the encoder of a column. The server's strict mode refuses many invalid values. This encoder refuses values
 * that the server would change without an error: by rounding, padding, trimming blanks or reading a number for a
 * word.
 */
export function encoderOf(column: MysqlColumn): CellEncoder {
  const { dataType, kind } = column;
  if (dataType === 'year') return yearLiteral;
  if (dataType === 'enum') return enumEncoder(column);
  if (dataType === 'set') return setEncoder(column);
  switch (kind) {
    case 'integer':
      return integerLiteral;
    case 'decimal':
      return decimalEncoder(column);
    case 'float':
      return floatEncoder(column);
    case 'binary':
      return binaryEncoder(column);
    case 'date':
      return dateLiteral;
    case 'time':
      return timeEncoder(column, /^\d\d:\d\d:\d\d(?:\.(\d+))?$/);
    case 'timestamp':
    case 'timestamptz':
      return timeEncoder(column, /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.(\d+))?Z?)?$/);
    case 'text':
      return textEncoder(column);
    default:
      return textLiteral;
  }
}

/**
 * Encodes one cell as a literal. Refuses NULL for a column that does not accept it: some servers would store another
 * value.
 */
export const encodeCell = (
  encode: CellEncoder,
  { isNullable }: MysqlColumn,
  cell: Cell,
): string | Rejection => (cell === null ? (isNullable ? 'NULL' : nullValue) : encode(cell));

function textLiteral(cell: Value): string | Rejection {
  const text = String(cell);
  return text.isWellFormed() ? literal(text) : invalidText;
}

const byteBoundTypes = new Set(['tinytext', 'text', 'mediumtext', 'longtext']);

function textEncoder({ dataType, charactersMax, bytesMax }: MysqlColumn): CellEncoder {
  const isFixed = dataType === 'char';
  return (cell) => {
    const text = String(cell);
    if (!text.isWellFormed()) return invalidText;
    // A type of fixed length loses blanks at the end.
    if (isFixed && text.endsWith(' ')) return inexact;
    // The server cuts blanks beyond the length without an error.
    if (byteBoundTypes.has(dataType)) {
      if (bytesMax !== null && Buffer.byteLength(text) > bytesMax) return tooLong;
    } else if (charactersMax !== null && text.length > charactersMax && [...text].length > charactersMax) {
      return tooLong;
    }
    return literal(text);
  };
}

/** Accepts only exact members. The server reads another word as a member's number, and ignores case. */
function enumEncoder({ members }: MysqlColumn): CellEncoder {
  const memberNames = new Set(members);
  return (cell) => (memberNames.has(String(cell)) ? textLiteral(cell) : invalidValue);
}

/** Accepts only unique members in their declared order: the server stores a set in this form. */
function setEncoder({ members }: MysqlColumn): CellEncoder {
  return (cell) => {
    const text = String(cell);
    const places = text === '' ? [] : text.split(',').map((part) => members.indexOf(part));
    if (places.includes(-1)) return invalidValue;
    return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
      ? textLiteral(text)
      : inexact;
  };
}

function integerLiteral(cell: Value): string | Rejection {
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : inexact;
  const [, integer, fraction = ''] = /^([+-]?\d+)(?:\.(\d*))?$/.exec(cell) ?? [];
  if (integer === undefined) return /^[+-]?\d*\.?\d+e/i.test(cell) ? inexact : invalidValue;
  return /[^0]/.test(fraction) ? inexact : integer;
}

const firstYear = 1_901;
const lastYear = 2_155;

/** Refuses years of two digits: the server would read them as years of this or the last century. */
function yearLiteral(cell: Value): string | Rejection {
  const integer = integerLiteral(cell);
  if (typeof integer !== 'string') return integer;
  const year = Number(integer);
  return year === 0 || (year >= firstYear && year <= lastYear) ? integer : outOfRange;
}

const decimalText = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

function decimalEncoder({ scale }: MysqlColumn): CellEncoder {
  return (cell) => {
    const text = typeof cell === 'boolean' ? (cell ? '1' : '0') : String(cell);
    const [, integer, fraction = '', exponent = '0'] = decimalText.exec(text) ?? [];
    if (integer === undefined || integer + fraction === '') return outOfRange;
    return keepsScale(integer, fraction, Number(exponent), scale ?? 0) ? literal(text) : inexact;
  };
}

/** Returns true if all digits after `scale` places are zeros. */
function keepsScale(integer: string, fraction: string, exponent: number, scale: number): boolean {
  const digits = `${integer}${fraction}`.replace(/0+$/, '');
  return digits === '' || digits.length - integer.length - exponent <= scale;
}

/** Refuses infinities and NaN, which the type does not have. A literal with an exponent is a number in eight bytes. */
function floatEncoder({ dataType, scale }: MysqlColumn): CellEncoder {
  return (cell) => {
    const value = Number(cell);
    if (!Number.isFinite(value)) return outOfRange;
    if (dataType === 'float' && Number.isFinite(Math.fround(value)) && !isSingle(value)) return inexact;
    if (scale !== null) {
      const [, integer = '', fraction = '', exponent = '0'] = decimalText.exec(String(value)) ?? [];
      if (!keepsScale(integer, fraction, Number(exponent), scale)) return inexact;
    }
    // Minus zero would lose its sign as an integer.
    return Object.is(value, -0) ? '-0e0' : value.toExponential();
  };
}

const singleDigitsMax = 9;

/** Returns true for a number in four bytes, or for the shortest decimal of one, such as 0.1. */
function isSingle(value: number): boolean {
  const single = Math.fround(value);
  if (single === value) return true;
  for (let digits = 1; digits <= singleDigitsMax; digits++) {
    if (Number(single.toPrecision(digits)) === value) return true;
  }
  return false;
}

/** Refuses shorter bytes for a fixed length: the server would pad them with zeros. */
function binaryEncoder({ dataType, bytesMax }: MysqlColumn): CellEncoder {
  return (cell) => {
    const hex = String(cell);
    if (!/^(?:[\da-f]{2})*$/i.test(hex)) return invalidValue;
    const bytes = hex.length / 2;
    if (bytesMax !== null && bytes > bytesMax) return tooLong;
    return dataType === 'binary' && bytes !== bytesMax ? inexact : `x'${hex}'`;
  };
}

const yearNought = /^0000/;

function dateLiteral(cell: Value): string | Rejection {
  const text = String(cell);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !yearNought.test(text) ? literal(text) : invalidTime;
}

/**
 * Refuses infinite times, years BC and years with more than four digits. Refuses excess fraction digits: the server
 * would round them.
 */
function timeEncoder({ timePlaces }: MysqlColumn, pattern: RegExp): CellEncoder {
  return (cell) => {
    const text = String(cell);
    const match = pattern.exec(text);
    if (!match || yearNought.test(text)) return invalidTime;
    if (/[^0]/.test((match[1] ?? '').slice(timePlaces))) return inexact;
    return literal(text.replace('T', ' ').replace('Z', ''));
  };
}
