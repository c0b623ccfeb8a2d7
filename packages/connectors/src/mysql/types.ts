import type { ExecuteOptions } from '../port.ts';
import {
  type Cell,
  type ColumnKind,
  decimalCell,
  finiteCell,
  integerCell,
  timestampCell,
} from '../values.ts';

/** Description of a result column by the server. */
export type MysqlField = {
  readonly name: string;
  readonly orgName: string;
  readonly orgTable: string;
  readonly columnType: number;
  readonly characterSet: number;
  readonly columnLength: number;
  /** Fraction digits. More than 6: unknown. */
  readonly decimals: number;
  readonly flags: number;
  readonly extendedFormat?: string | undefined;
};

const binaryCharset = 63;
const unsignedFlag = 32;

type MysqlType = { readonly name: string; readonly kind: ColumnKind };

/** Types by the number of the protocol. Text and binary types share numbers and differ by character set. */
const typesByNumber = new Map<number, MysqlType>([
  [0, { name: 'decimal', kind: 'decimal' }],
  [1, { name: 'tinyint', kind: 'integer' }],
  [2, { name: 'smallint', kind: 'integer' }],
  [3, { name: 'int', kind: 'integer' }],
  [4, { name: 'float', kind: 'float' }],
  [5, { name: 'double', kind: 'float' }],
  [6, { name: 'null', kind: 'text' }],
  [7, { name: 'timestamp', kind: 'timestamptz' }],
  [8, { name: 'bigint', kind: 'integer' }],
  [9, { name: 'mediumint', kind: 'integer' }],
  [10, { name: 'date', kind: 'date' }],
  [11, { name: 'time', kind: 'time' }],
  [12, { name: 'datetime', kind: 'timestamp' }],
  [13, { name: 'year', kind: 'integer' }],
  [14, { name: 'date', kind: 'date' }],
  [16, { name: 'bit', kind: 'integer' }],
  [242, { name: 'vector', kind: 'json' }],
  [245, { name: 'json', kind: 'json' }],
  [246, { name: 'decimal', kind: 'decimal' }],
  [255, { name: 'geometry', kind: 'json' }],
]);

/** Returns name and kind of a column's type. */
export function mysqlType(field: MysqlField): MysqlType {
  if (field.extendedFormat === 'json') return { name: 'json', kind: 'json' };
  const type = typesByNumber.get(field.columnType);
  if (type?.name === 'bit') return { name: `bit(${field.columnLength})`, kind: type.kind };
  if (type) {
    const isUnsigned = type.kind === 'integer' && (field.flags & unsignedFlag) !== 0;
    return isUnsigned ? { name: `${type.name} unsigned`, kind: type.kind } : type;
  }
  return field.characterSet === binaryCharset
    ? { name: 'binary', kind: 'binary' }
    : { name: 'text', kind: 'text' };
}

/** Returns the conversion of a column's driver values to cells. */
export function mysqlCellReader(
  field: MysqlField,
  { decimalsAsText = false }: Pick<ExecuteOptions, 'decimalsAsText'> = {},
): (value: unknown) => Cell {
  if (field.columnType === 4)
    return (value) => (typeof value === 'number' ? singleFloatCell(value) : plainCell(value));
  if (field.columnType === 16) return bitCell;
  const { kind } = mysqlType(field);
  if (kind === 'decimal' && !decimalsAsText)
    return (value) => (typeof value === 'string' ? decimalCell(value) : plainCell(value));
  if (kind === 'integer')
    return (value) => (typeof value === 'string' ? integerCell(value) : plainCell(value));
  const inFull = (value: string) => withPlaces(value, field.decimals);
  if (kind === 'time') return (value) => (typeof value === 'string' ? inFull(value) : plainCell(value));
  if (kind === 'timestamp')
    return (value) => (typeof value === 'string' ? timestampCell(inFull(value)) : plainCell(value));
  if (kind === 'timestamptz') {
    return (value) => (typeof value === 'string' ? `${timestampCell(inFull(value))}Z` : plainCell(value));
  }
  return plainCell;
}

const timePlacesMax = 6;

/** Pads a time to all fraction digits of its type, as the server writes it. The driver omits zeros in some values. */
function withPlaces(time: string, places: number): string {
  if (places < 1 || places > timePlacesMax) return time;
  const [withoutFraction = time, fraction = ''] = time.split('.');
  return `${withoutFraction}.${fraction.padEnd(places, '0')}`;
}

function plainCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return finiteCell(value);
  if (typeof value === 'bigint') return integerCell(value.toString());
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return JSON.stringify(value);
}

/** Returns the shortest decimal that is the same number in four bytes: 0.1 stays 0.1. */
function singleFloatCell(value: number): Cell {
  for (let digits = 6; digits <= 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return finiteCell(value);
}

function bitCell(value: unknown): Cell {
  if (!Buffer.isBuffer(value)) return plainCell(value);
  return value.length === 0 ? 0 : integerCell(BigInt(`0x${value.toString('hex')}`).toString());
}
