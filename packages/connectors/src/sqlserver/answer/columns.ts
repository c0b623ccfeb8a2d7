import type { ByteReader } from './byte-reader.ts';
import type { TdsType } from './types.ts';

/** Encoding of a value's length. */
export type ValueForm = 'fixed' | 'byte' | 'short' | 'chunks' | 'pointer';

export type TdsColumn = {
  readonly name: string;
  readonly type: TdsType;
  readonly form: ValueForm;
};

const unbounded = 0xffff;
const collationBytes = 5;

const fixedLengths = new Map([
  [0x30, 1],
  [0x32, 1],
  [0x34, 2],
  [0x38, 4],
  [0x3a, 4],
  [0x3b, 4],
  [0x3c, 8],
  [0x3d, 8],
  [0x3e, 8],
  [0x7a, 4],
  [0x7f, 8],
]);

const wideTexts = new Set([0xe7, 0xef, 0x63]);

type Typed = { readonly type: TdsType; readonly form: ValueForm };

/** Reads the type of a column; undefined for an unsupported type number. */
function readType(reader: ByteReader): Typed | undefined {
  const number = reader.u8();
  const fixed = fixedLengths.get(number);
  if (fixed !== undefined) return { type: { number, length: fixed }, form: 'fixed' };
  switch (number) {
    case 0x24:
    case 0x26:
    case 0x68:
    case 0x6d:
    case 0x6e:
    case 0x6f:
      return { type: { number, length: reader.u8() }, form: 'byte' };
    case 0x6a:
    case 0x6c:
      return {
        type: { number, length: reader.u8(), precision: reader.u8(), scale: reader.u8() },
        form: 'byte',
      };
    case 0x28:
      return { type: { number }, form: 'byte' };
    case 0x29:
    case 0x2a:
    case 0x2b:
      return { type: { number, scale: reader.u8() }, form: 'byte' };
    case 0xa5:
    case 0xad:
    case 0xa7:
    case 0xaf:
    case 0xe7:
    case 0xef:
      return boundedType(reader, number);
    case 0x22:
    case 0x23:
    case 0x63:
      return pointedType(reader, number);
    case 0xf0:
    case 0xf1:
      return { type: number === 0xf1 ? xmlType(reader) : userType(reader), form: 'chunks' };
    default:
      return undefined;
  }
}

const isBinary = (number: number): boolean => number === 0xa5 || number === 0xad || number === 0x22;

function boundedType(reader: ByteReader, number: number): Typed {
  const length = reader.u16();
  const encoding = isBinary(number) ? undefined : encodingOf(reader.take(collationBytes), number);
  return { type: { number, length, encoding }, form: length === unbounded ? 'chunks' : 'short' };
}

/** Server, database, schema and table. */
const namePartsMax = 4;

/** Reads the type of `text`, `ntext` and `image`, which contains the name of their table. */
function pointedType(reader: ByteReader, number: number): Typed | undefined {
  const length = reader.u32();
  const encoding = isBinary(number) ? undefined : encodingOf(reader.take(collationBytes), number);
  const parts = reader.u8();
  if (parts > namePartsMax) return undefined;
  for (let remaining = parts; remaining > 0; remaining--) reader.text(reader.u16());
  return { type: { number, length, encoding }, form: 'pointer' };
}

function xmlType(reader: ByteReader): TdsType {
  if (reader.u8() === 1) {
    reader.text(reader.u8());
    reader.text(reader.u8());
    reader.text(reader.u16());
  }
  return { number: 0xf1 };
}

function userType(reader: ByteReader): TdsType {
  reader.u16();
  reader.text(reader.u8());
  reader.text(reader.u8());
  const name = reader.text(reader.u8());
  reader.text(reader.u16());
  return { number: 0xf0, userType: name };
}

const utf8Flag = 1 << 26;
const languageMask = 0x3ff;
const regionMask = 0xffff;

/** Encodings of languages outside Western Europe, by the number of the primary language. */
const encodingsByLanguage: readonly (readonly [encoding: string, languages: readonly number[]])[] = [
  ['windows-874', [0x1e]],
  ['shift_jis', [0x11]],
  ['euc-kr', [0x12]],
  ['gbk', [0x04]],
  ['windows-1250', [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24]],
  ['windows-1251', [0x02, 0x19, 0x22, 0x23, 0x2f, 0x3f, 0x44]],
  ['windows-1253', [0x08]],
  ['windows-1254', [0x1f, 0x2c, 0x43]],
  ['windows-1255', [0x0d]],
  ['windows-1256', [0x01, 0x20, 0x29]],
  ['windows-1257', [0x25, 0x26, 0x27]],
  ['windows-1258', [0x2a]],
];
const traditionalChinese = new Set([0x0404, 0x0c04, 0x1404]);
const cyrillicSerbian = new Set([0x0c1a, 0x082c]);

/** Returns the encoding of a text by its collation; undefined for UTF-16. */
function encodingOf(collation: Buffer, number: number): string | undefined {
  if (wideTexts.has(number)) return undefined;
  const bits = collation.readUInt32LE();
  if ((bits & utf8Flag) !== 0) return 'utf-8';
  const locale = bits & regionMask;
  if (traditionalChinese.has(locale)) return 'big5';
  if (cyrillicSerbian.has(locale)) return 'windows-1251';
  const encoding = encodingsByLanguage.find(([, languages]) => languages.includes(locale & languageMask));
  return encoding?.[0] ?? 'windows-1252';
}

const noColumns = 0xffff;

/** Reads the number of columns of a result. */
export function readColumnCount(reader: ByteReader): number {
  const count = reader.u16();
  return count === noColumns ? 0 : count;
}

/** Reads one column; undefined for an unsupported type. */
export function readColumn(reader: ByteReader): TdsColumn | undefined {
  reader.u32();
  reader.u16();
  const typed = readType(reader);
  return typed && { name: reader.text(reader.u8()), ...typed };
}

const pointerTimestampBytes = 8;

/** Reads the bytes of one value without chunks; undefined for NULL. */
export function readValue(
  reader: ByteReader,
  form: Exclude<ValueForm, 'chunks'>,
  type: TdsType,
): Buffer | undefined {
  switch (form) {
    case 'fixed':
      return reader.value(type.length ?? 0);
    case 'byte': {
      const length = reader.u8();
      return length === 0 ? undefined : reader.value(length);
    }
    case 'short': {
      const length = reader.u16();
      return length === unbounded ? undefined : reader.value(length);
    }
    case 'pointer': {
      const pointer = reader.u8();
      if (pointer === 0) return undefined;
      reader.take(pointer + pointerTimestampBytes);
      return reader.value(reader.u32());
    }
  }
}
