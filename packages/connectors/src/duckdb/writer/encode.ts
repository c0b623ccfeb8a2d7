import type { Cell, ColumnKind } from '../../values.ts';
import type { RejectionCode } from '../../writers/port.ts';

/** Rejection of a cell that the column cannot store unchanged. */
export class Rejection {
  readonly code: RejectionCode;

  constructor(code: RejectionCode) {
    this.code = code;
  }
}

const rejected = (code: RejectionCode): Rejection => new Rejection(code);

/** Encodes the cells of a column, except NULL, as CSV fields. */
export type FieldEncoder = {
  readonly encode: (cell: Exclude<Cell, null>) => string | Rejection;
  /** Returns the type of the fields. Final only after the last row. */
  readonly type: () => string;
};

type Text = string | number | boolean;

/** Encodes cells as text, the type of all columns of a CSV file. */
export const textEncoder = (): FieldEncoder => ({ encode: quotedText, type: () => 'VARCHAR' });

const textOf = (cell: Text): string => (typeof cell === 'string' ? cell : String(cell));

const unusual = /["\0\ud800-\udfff]/;

function quotedText(cell: Text): string | Rejection {
  const text = textOf(cell);
  // Few texts have any of these characters. One test excludes all of them.
  if (!unusual.test(text)) return `"${text}"`;
  if (text.includes('\0') || !text.isWellFormed()) return rejected('invalid-text');
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

/** Returns the encoder for a column of an existing file, by its type. */
export function encoderOfType(type: string): FieldEncoder {
  const name = type.toUpperCase();
  const [, width, scale] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(name) ?? [];
  if (width !== undefined && scale !== undefined) return decimalOf(Number(width), Number(scale));
  const bounds = integerBounds.get(name);
  if (bounds) return fixed(name, (cell) => wholeNumber(cell, bounds));
  return fixed(name, byType.get(name) ?? (() => rejected('refused')));
}

/** Returns the encoder for a column of a new file, by the kind of its cells. */
export const encoderOfKind = (kind: ColumnKind): FieldEncoder =>
  kind === 'decimal' ? growingDecimal() : encoderOfType(newType(kind));

const newTypes: Partial<Readonly<Record<ColumnKind, string>>> = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  float: 'DOUBLE',
  uuid: 'UUID',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  binary: 'BLOB',
  json: 'JSON',
};

/** Returns the type of a new column. A DECIMAL has no digits here, because they depend on the values. */
export const newType = (kind: ColumnKind): string =>
  kind === 'decimal' ? 'DECIMAL' : (newTypes[kind] ?? 'VARCHAR');

const fixed = (type: string, encode: FieldEncoder['encode']): FieldEncoder => ({ encode, type: () => type });

const bits = (count: number): readonly [bigint, bigint] => [
  -(2n ** BigInt(count - 1)),
  2n ** BigInt(count - 1) - 1n,
];
const unsigned = (count: number): readonly [bigint, bigint] => [0n, 2n ** BigInt(count) - 1n];
const integerBounds = new Map([
  ['TINYINT', bits(8)],
  ['SMALLINT', bits(16)],
  ['INTEGER', bits(32)],
  ['BIGINT', bits(64)],
  ['UTINYINT', unsigned(8)],
  ['USMALLINT', unsigned(16)],
  ['UINTEGER', unsigned(32)],
  ['UBIGINT', unsigned(64)],
]);

function wholeNumber(cell: Text, [min, max]: readonly [bigint, bigint]): string | Rejection {
  if (typeof cell === 'number' && Number.isSafeInteger(cell)) {
    return cell < min || cell > max ? rejected('out-of-range') : String(cell);
  }
  const text = typeof cell === 'boolean' ? String(Number(cell)) : textOf(cell);
  const [, integer, fraction = ''] = /^([+-]?\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (integer === undefined) return rejected(/^[+-]?\d*\.?\d+e/i.test(text) ? 'inexact' : 'invalid-value');
  if (/[^0]/.test(fraction)) return rejected('inexact');
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return rejected('inexact');
  const value = BigInt(integer);
  return value < min || value > max ? rejected('out-of-range') : String(value);
}

type Digits = { readonly text: string; readonly whole: number; readonly places: number };

/** Parses a decimal text without insignificant zeros. Returns undefined for any other text. */
function digitsOf(cell: Text): Digits | undefined {
  const text = typeof cell === 'boolean' ? String(Number(cell)) : textOf(cell);
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (integer === '') return undefined;
  if (exponent === '0') return digitsText(sign, integer, fraction);
  if (Math.abs(Number(exponent)) > exponentMax) return undefined;
  const shift = Number(exponent);
  const all = `${integer}${fraction}`;
  const point = integer.length + shift;
  const padded = point < 0 ? `${'0'.repeat(-point)}${all}` : all.padEnd(point, '0');
  const at = Math.max(0, point);
  return digitsText(sign, padded.slice(0, at), padded.slice(at));
}

function digitsText(sign: string, integer: string, fraction: string): Digits {
  const front = integer.startsWith('0') ? integer.replace(/^0+/, '') : integer;
  const back = fraction.endsWith('0') ? fraction.replace(/0+$/, '') : fraction;
  return {
    text: `${sign === '-' ? '-' : ''}${front || '0'}${back === '' ? '' : `.${back}`}`,
    whole: front.length,
    places: back.length,
  };
}

const exponentMax = 400;
const decimalDigitsMax = 38;

function decimalOf(width: number, scale: number): FieldEncoder {
  return fixed(`DECIMAL(${width},${scale})`, (cell) => {
    const digits = digitsOf(cell);
    if (!digits) return rejected('invalid-value');
    if (digits.places > scale) return rejected('inexact');
    return digits.whole > width - scale ? rejected('out-of-range') : digits.text;
  });
}

/** Widens the DECIMAL for its values. Rejects a value if the type would need more than 38 digits. */
function growingDecimal(): FieldEncoder {
  let [integerDigits, places] = [1, 0];
  return {
    type: () => `DECIMAL(${Math.max(18, integerDigits + places)},${places})`,
    encode: (cell) => {
      const digits = digitsOf(cell);
      if (!digits) return rejected('invalid-value');
      const next = [Math.max(integerDigits, digits.whole), Math.max(places, digits.places)] as const;
      if (next[0] + next[1] > decimalDigitsMax) return rejected('out-of-range');
      [integerDigits, places] = next;
      return digits.text;
    },
  };
}

function doubleText(cell: Text): string | Rejection {
  if (typeof cell !== 'string') return String(Number(cell));
  if (/^(NaN|-?Infinity)$/.test(cell)) return cell;
  const value = Number(cell);
  if (cell.trim() === '' || Number.isNaN(value)) return rejected('invalid-value');
  if (!Number.isFinite(value)) return rejected('out-of-range');
  return digitsOf(cell)?.text === digitsOf(value)?.text ? cell : rejected('inexact');
}

function floatText(cell: Text): string | Rejection {
  const text = doubleText(cell);
  if (typeof text !== 'string') return text;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.fround(value) === value) return text;
  if (!Number.isFinite(Math.fround(value))) return rejected('out-of-range');
  for (let digits = 1; digits <= singleDigitsMax; digits++) {
    if (Number(Math.fround(value).toPrecision(digits)) === value) return text;
  }
  return rejected('inexact');
}
const singleDigitsMax = 9;

function booleanText(cell: Text): string | Rejection {
  if (cell === true || cell === 1) return 'true';
  return cell === false || cell === 0 ? 'false' : rejected('invalid-value');
}

const date = String.raw`(?!0000)\d{4}-\d\d-\d\d`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`;
const datePattern = new RegExp(`^${date}$`);
const timePattern = new RegExp(`^${time}$`);
const momentPattern = new RegExp(`^(${date})(?:T(${time})Z?)?$`);

const matching =
  (pattern: RegExp) =>
  (cell: Text): string | Rejection =>
    pattern.test(textOf(cell)) ? textOf(cell) : rejected('invalid-time');

/** Encodes a timestamp. A date means its first moment; a timestamp without a zone is in UTC. */
function moment(places: number, zone: '' | 'Z') {
  return (cell: Text): string | Rejection => {
    const [, day, clock = '00:00:00'] = momentPattern.exec(textOf(cell)) ?? [];
    if (day === undefined) return rejected('invalid-time');
    if (places < microsecondPlaces && /[^0]/.test((clock.split('.')[1] ?? '').slice(places))) {
      return rejected('inexact');
    }
    return `${day}T${clock}${zone}`;
  };
}

const microsecondPlaces = 6;
const millisecondPlaces = 3;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hexPattern = /^(?:[0-9a-f]{2})*$/;

function jsonText(cell: Text): string | Rejection {
  try {
    JSON.parse(textOf(cell));
    return quotedText(cell);
  } catch {
    return rejected('invalid-value');
  }
}

const byType = new Map<string, FieldEncoder['encode']>([
  ['BOOLEAN', booleanText],
  ['DOUBLE', doubleText],
  ['FLOAT', floatText],
  ['VARCHAR', quotedText],
  ['JSON', jsonText],
  ['UUID', (cell) => (uuidPattern.test(textOf(cell)) ? textOf(cell) : rejected('invalid-value'))],
  // Quoted, because an empty value is not NULL.
  ['BLOB', (cell) => (hexPattern.test(textOf(cell)) ? `"${textOf(cell)}"` : rejected('invalid-value'))],
  ['DATE', matching(datePattern)],
  ['TIME', matching(timePattern)],
  ['TIMESTAMP', moment(microsecondPlaces, '')],
  ['TIMESTAMP_MS', moment(millisecondPlaces, '')],
  ['TIMESTAMP_S', moment(0, '')],
  ['TIMESTAMP WITH TIME ZONE', moment(microsecondPlaces, 'Z')],
]);
