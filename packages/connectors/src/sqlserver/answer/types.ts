import type { ExecuteOptions } from '../../port.ts';
import { type Cell, type ColumnKind, decimalCell, finiteCell, integerCell } from '../../values.ts';
import { dateOf, dateTimeOf, smallDateTimeOf, timeOf } from './times.ts';

/** A column's type as the protocol (TDS 7.4) describes it before the rows. */
export type TdsType = {
  /** Number of the type in the protocol. */
  readonly number: number;
  /** Largest number of bytes of a value; undefined for an unbounded type. */
  readonly length?: number | undefined;
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
  /** Encoding of text that is not UTF-16, as `TextDecoder` names it. */
  readonly encoding?: string | undefined;
  /** Name of a type that a user or an assembly has defined. */
  readonly userType?: string | undefined;
};

type Named = { readonly name: string; readonly kind: ColumnKind };

/** Reads the bytes of a value; undefined for bytes that are invalid for the type. */
type Reader = (bytes: Buffer, type: TdsType, options: CellOptions) => Cell | undefined;
type CellOptions = Pick<ExecuteOptions, 'decimalsAsText'>;

const integer = (bytes: Buffer): Cell | undefined => {
  if (bytes.length === 1) return bytes.readUInt8();
  if (bytes.length === 2) return bytes.readInt16LE();
  if (bytes.length === 4) return bytes.readInt32LE();
  return bytes.length === 8 ? integerCell(bytes.readBigInt64LE().toString()) : undefined;
};

const bit = (bytes: Buffer): Cell | undefined => (bytes.length === 1 ? bytes[0] !== 0 : undefined);

const float = (bytes: Buffer): Cell | undefined => {
  if (bytes.length === 4) return singleFloat(bytes.readFloatLE());
  return bytes.length === 8 ? finiteCell(bytes.readDoubleLE()) : undefined;
};

/** Returns the shortest decimal that is the same number in four bytes: 0.1 stays 0.1. */
function singleFloat(value: number): Cell {
  for (let digits = 6; digits <= 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return finiteCell(value);
}

/** Converts units of `10^-scale` to a decimal text with all its digits. */
function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

const decimalOf = (text: string, { decimalsAsText }: CellOptions): Cell =>
  decimalsAsText ? text : decimalCell(text);

const moneyScale = 4;

/** Reads an amount. Eight bytes have their upper half first. */
const money: Reader = (bytes, _type, options) => {
  if (bytes.length === 4) return decimalOf(decimalText(BigInt(bytes.readInt32LE()), moneyScale), options);
  if (bytes.length !== 8) return undefined;
  const units = (BigInt(bytes.readInt32LE()) << 32n) | BigInt(bytes.readUInt32LE(4));
  return decimalOf(decimalText(units, moneyScale), options);
};

const scaleMax = 38;
const decimalBytes = new Set([5, 9, 13, 17]);

/** Reads a decimal: a byte for the sign, then the digits as an integer, lowest byte first. */
const decimal: Reader = (bytes, { scale = 0 }, options) => {
  const sign = bytes[0];
  if (!decimalBytes.has(bytes.length) || scale > scaleMax || (sign !== 0 && sign !== 1)) return undefined;
  const magnitude = BigInt(`0x${Buffer.from(bytes.subarray(1)).reverse().toString('hex')}`);
  return decimalOf(decimalText(sign === 1 ? magnitude : -magnitude, scale), options);
};

/** Reads a UUID. Its first three groups have their lowest byte first. */
const uuid = (bytes: Buffer): Cell | undefined => {
  if (bytes.length !== 16) return undefined;
  const hex = (from: number, to: number): string => bytes.subarray(from, to).toString('hex');
  const turned = (from: number, to: number): string =>
    Buffer.from(bytes.subarray(from, to)).reverse().toString('hex');
  return `${turned(0, 4)}-${turned(4, 6)}-${turned(6, 8)}-${hex(8, 10)}-${hex(10, 16)}`.toUpperCase();
};

const byteOrderMark = 0xfeff;

/** Reads UTF-16. XML begins with a byte order mark. */
const wideText = (bytes: Buffer): Cell | undefined => {
  if (bytes.length % 2 !== 0) return undefined;
  const isMarked = bytes.length >= 2 && bytes.readUInt16LE() === byteOrderMark;
  return bytes.toString('utf16le', isMarked ? 2 : 0);
};

const text: Reader = (bytes, { encoding = 'windows-1252' }) =>
  new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
const hex = (bytes: Buffer): Cell => bytes.toString('hex');

const dateTime: Reader = (bytes) =>
  bytes.length === 4 ? smallDateTimeOf(bytes) : bytes.length === 8 ? dateTimeOf(bytes) : undefined;

type TypeEntry = readonly [
  numbers: readonly number[],
  name: string | ((type: TdsType) => string),
  ColumnKind,
  Reader,
];

const bySize =
  (names: Readonly<Record<number, string>>, other: string) =>
  ({ length }: TdsType): string =>
    names[length ?? 0] ?? other;
const withScale =
  (name: string) =>
  ({ scale = 7 }: TdsType): string =>
    `${name}(${scale})`;
const withPrecision =
  (name: string) =>
  ({ precision = 18, scale = 0 }: TdsType): string =>
    `${name}(${precision},${scale})`;
const userType = ({ userType: name }: TdsType): string => name ?? 'udt';

const entries: readonly TypeEntry[] = [
  [[0x30], 'tinyint', 'integer', integer],
  [[0x34], 'smallint', 'integer', integer],
  [[0x38], 'int', 'integer', integer],
  [[0x7f], 'bigint', 'integer', integer],
  [[0x26], bySize({ 1: 'tinyint', 2: 'smallint', 8: 'bigint' }, 'int'), 'integer', integer],
  [[0x32, 0x68], 'bit', 'boolean', bit],
  [[0x3b], 'real', 'float', float],
  [[0x3e], 'float', 'float', float],
  [[0x6d], bySize({ 4: 'real' }, 'float'), 'float', float],
  [[0x7a], 'smallmoney', 'decimal', money],
  [[0x3c], 'money', 'decimal', money],
  [[0x6e], bySize({ 4: 'smallmoney' }, 'money'), 'decimal', money],
  [[0x6a], withPrecision('decimal'), 'decimal', decimal],
  [[0x6c], withPrecision('numeric'), 'decimal', decimal],
  [[0x24], 'uniqueidentifier', 'uuid', uuid],
  [[0x3a], 'smalldatetime', 'timestamp', dateTime],
  [[0x3d], 'datetime', 'timestamp', dateTime],
  [[0x6f], bySize({ 4: 'smalldatetime' }, 'datetime'), 'timestamp', dateTime],
  [[0x28], 'date', 'date', (bytes) => dateOf(bytes)],
  [[0x29], withScale('time'), 'time', (bytes, { scale }) => timeOf(bytes, 'time', scale)],
  [[0x2a], withScale('datetime2'), 'timestamp', (bytes, { scale }) => timeOf(bytes, 'datetime2', scale)],
  [
    [0x2b],
    withScale('datetimeoffset'),
    'timestamptz',
    (bytes, { scale }) => timeOf(bytes, 'datetimeoffset', scale),
  ],
  [[0xa7], 'varchar', 'text', text],
  [[0xaf], 'char', 'text', text],
  [[0x23], 'text', 'text', text],
  [[0xe7], 'nvarchar', 'text', wideText],
  [[0xef], 'nchar', 'text', wideText],
  [[0x63], 'ntext', 'text', wideText],
  [[0xf1], 'xml', 'text', wideText],
  [[0xa5], 'varbinary', 'binary', hex],
  [[0xad], 'binary', 'binary', hex],
  [[0x22], 'image', 'binary', hex],
  [[0xf0], userType, 'binary', hex],
];

const byNumber = new Map(entries.flatMap((entry) => entry[0].map((number) => [number, entry] as const)));

/** Returns name and kind of a column's type; undefined for an unknown type number. */
export function sqlserverType(type: TdsType): Named | undefined {
  const entry = byNumber.get(type.number);
  if (!entry) return undefined;
  const [, name, kind] = entry;
  return { name: typeof name === 'string' ? name : name(type), kind };
}

/** Converts the bytes of a value to a cell; undefined for bytes that are invalid for the type. */
export function sqlserverCell(type: TdsType, bytes: Buffer, options: CellOptions = {}): Cell | undefined {
  return byNumber.get(type.number)?.[3](bytes, type, options);
}
