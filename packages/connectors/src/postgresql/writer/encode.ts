import type { RejectionCode } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';

/** Rejection of a cell that the column cannot represent unchanged. */
export class Rejection {
  readonly code: RejectionCode;

  constructor(code: RejectionCode) {
    this.code = code;
  }
}

const invalidText = new Rejection('invalid-text');
const invalidValue = new Rejection('invalid-value');
const inexact = new Rejection('inexact');
const tooLong = new Rejection('too-long');
const outOfRange = new Rejection('out-of-range');

/** Encodes one cell that is not NULL as a field of `COPY` in its text format. */
export type CellEncoder = (cell: string | number | boolean) => string | Rejection;

/**
 * Returns the encoder of a column. The server refuses invalid values itself. This encoder refuses values that the
 * server would change silently, by rounding or cutting.
 */
export function encoderOf(column: PostgresqlColumn): CellEncoder {
  const encode = encoderByType(column);
  // These encoders return no characters that need escaping.
  if (encode === integerText || encode === booleanText) return encode;
  return (cell) => {
    const encoded = encode(cell);
    return typeof encoded === 'string' ? escaped(encoded) : encoded;
  };
}

const lengthTypes = new Set([1042, 1043]);
const integerTypes = new Set([20, 21, 23, 26]);
const numericType = 1700;
const realType = 700;
const doubleType = 701;
/** `time`: a time of day without an offset. */
const timeType = 1083;
const timeTypes = new Set([1083, 1114, 1184, 1266]);
/** The server adds this many bytes to a packed length or precision. */
const headerBytes = 4;

function encoderByType({ typeOid, typeModifier, kind }: PostgresqlColumn): CellEncoder {
  if (integerTypes.has(typeOid)) return integerText;
  if (typeOid === numericType) return numericEncoder(typeModifier);
  if (typeOid === realType) return realText;
  if (typeOid === doubleType) return doubleText;
  if (kind === 'boolean') return booleanText;
  if (kind === 'binary') return (cell) => `\\x${String(cell)}`;
  if (lengthTypes.has(typeOid) && typeModifier >= headerBytes) return textUpTo(typeModifier - headerBytes);
  if (typeOid === timeType) return withoutOffset(timeEncoder(typeModifier));
  if (timeTypes.has(typeOid)) return timeEncoder(typeModifier);
  return plainText;
}

const nulOrSurrogate = /[\0\ud800-\udfff]/;

function plainText(cell: string | number | boolean): string | Rejection {
  const text = String(cell);
  // Few texts contain either. One test excludes both.
  if (!nulOrSurrogate.test(text)) return text;
  return text.includes('\0') || !text.isWellFormed() ? invalidText : text;
}

function textUpTo(charactersMax: number): CellEncoder {
  return (cell) => {
    const text = plainText(cell);
    // The server silently cuts blanks beyond the length.
    if (typeof text !== 'string' || text.length <= charactersMax) return text;
    return [...text].length > charactersMax ? tooLong : text;
  };
}

function booleanText(cell: string | number | boolean): string | Rejection {
  if (cell === true || cell === 1) return 't';
  if (cell === false || cell === 0) return 'f';
  return invalidValue;
}

function integerText(cell: string | number | boolean): string | Rejection {
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : inexact;
  const [, integer, fraction = ''] = /^([+-]?\d+)(?:\.(\d*))?$/.exec(cell) ?? [];
  if (integer === undefined) return /^[+-]?\d*\.?\d+e/i.test(cell) ? inexact : invalidValue;
  return /[^0]/.test(fraction) ? inexact : integer;
}

/** Returns the stored fraction digits of a numeric type; undefined: all. */
function scaleOf(typeModifier: number): number | undefined {
  if (typeModifier < headerBytes) return undefined;
  const packed = (typeModifier - headerBytes) & 0x7ff;
  // Since version 15 scales may be negative, in eleven bits.
  return (packed ^ 0x400) - 0x400;
}

function numericEncoder(typeModifier: number): CellEncoder {
  const scale = scaleOf(typeModifier);
  return (cell) => {
    const text = typeof cell === 'boolean' ? (cell ? '1' : '0') : String(cell);
    if (scale === undefined) return text;
    return keepsScale(text, scale) ? text : inexact;
  };
}

/** Returns true if all digits after `scale` places are zeros. */
function keepsScale(text: string, scale: number): boolean {
  const [, integer = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${integer}${fraction}`.replace(/0+$/, '');
  if (digits === '') return true;
  const lastPlace = digits.length - integer.length - Number(exponent);
  return lastPlace <= scale;
}

/** Accepts only texts that a number in eight bytes represents exactly. */
function doubleText(cell: string | number | boolean): string | Rejection {
  if (typeof cell !== 'string') return String(Number(cell));
  const value = Number(cell);
  // NaN and the infinities must be written as such.
  if (!Number.isFinite(value)) return /^(NaN|-?Infinity)$/.test(cell) ? cell : outOfRange;
  return isSameDecimal(cell, value) ? cell : inexact;
}

const singleDigitsMax = 9;

/** Accepts a number in four bytes, or the shortest decimal of one, such as 0.1. */
function realText(cell: string | number | boolean): string | Rejection {
  const text = doubleText(cell);
  if (typeof text !== 'string') return text;
  const value = Number(text);
  const single = Math.fround(value);
  if (!Number.isFinite(value) || single === value) return text;
  if (!Number.isFinite(single)) return outOfRange;
  for (let digits = 1; digits <= singleDigitsMax; digits++) {
    if (Number(single.toPrecision(digits)) === value) return text;
  }
  return inexact;
}

function isSameDecimal(text: string, value: number): boolean {
  const plain = (number: string) => {
    const [, sign = '', integer = '', fraction = '', exponent = '0'] =
      /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(number) ?? [];
    const digits = `${integer}${fraction}`.replace(/^0+/, '');
    const significant = digits.replace(/0+$/, '');
    if (significant === '') return '0';
    const places = Number(exponent) - fraction.length + (digits.length - significant.length);
    return `${sign === '-' ? '-' : ''}${significant}e${places}`;
  };
  return plain(text) === plain(String(value));
}

const microseconds = 6;

/** Refuses excess fraction digits: the server would round them. */
function timeEncoder(typeModifier: number): CellEncoder {
  const places = typeModifier < 0 ? microseconds : typeModifier;
  return (cell) => {
    const text = String(cell);
    if (!text.includes('.')) return text;
    const [, fraction = ''] = /:\d\d\.(\d+)/.exec(text) ?? [];
    return /[^0]/.test(fraction.slice(places)) ? inexact : text;
  };
}

/** Refuses an offset: the server would silently ignore it. */
const withoutOffset =
  (encode: CellEncoder): CellEncoder =>
  (cell) =>
    /\d[+-]\d/.test(String(cell)) ? inexact : encode(cell);

const special = /[\\\b\f\n\r\t\v]/;
const escapes = new Map([
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** Escapes a text as a field of `COPY`, so that it contains no separator, end marker or NULL. */
const escaped = (text: string): string =>
  special.test(text)
    ? text.replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => escapes.get(character) ?? character)
    : text;

/** Field of `COPY` that means NULL. */
export const nullField = '\\N';
