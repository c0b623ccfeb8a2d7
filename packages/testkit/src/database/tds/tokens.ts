/** Tokens of server responses (TDS 7.4, 2.2.7), and encodings of values by type. */

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const shortText = (text: string): Buffer => Buffer.concat([u8(text.length), wide(text)]);
const longText = (text: string): Buffer => Buffer.concat([u16(text.length), wide(text)]);
const measured = (token: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u8(token), u16(body.length), body]);
};

/** Latin1_General_CI_AS. */
const collation = Buffer.from('0904d00034', 'hex');
const serverName = 'shop';

export const doneStatus = { final: 0, more: 0x01, error: 0x02, count: 0x10, attention: 0x20 };
export const token = { done: 0xfd, doneProcedure: 0xfe, doneInProcedure: 0xff };

export const done = (kind: number, status: number, rows = 0): Buffer =>
  Buffer.concat([u8(kind), u16(status), u16(0xc1), u64(BigInt(rows))]);

export const returnStatus = (): Buffer => Buffer.concat([u8(0x79), u32(0)]);

export type Fault = { readonly number: number; readonly message: string; readonly line?: number };

export const errorToken = ({ number, message, line = 1 }: Fault): Buffer =>
  measured(
    0xaa,
    u32(number),
    u8(1),
    u8(16),
    longText(message),
    shortText(serverName),
    shortText(''),
    u32(line),
  );

const changeOfText = (type: number, now: string, before: string): Buffer =>
  measured(0xe3, u8(type), shortText(now), shortText(before));

export const databaseChange = (now: string): Buffer => changeOfText(1, now, 'master');
export const packetSizeChange = (now: number): Buffer => changeOfText(4, String(now), String(now));
export const collationChange = (): Buffer => measured(0xe3, u8(7), u8(collation.length), collation, u8(0));
export const transactionBegun = (descriptor: bigint): Buffer =>
  measured(0xe3, u8(8), u8(8), u64(descriptor), u8(0));
export const transactionRolledBack = (descriptor: bigint): Buffer =>
  measured(0xe3, u8(10), u8(0), u8(8), u64(descriptor));

export const loginAcknowledged = (): Buffer =>
  measured(
    0xad,
    u8(1),
    Buffer.from([0x74, 0, 0, 4]),
    shortText('Microsoft SQL Server'),
    Buffer.from([16, 0, 0x10, 0x04]),
  );

/** Column. Its type selects the encoding of its values. */
export type TokenColumn = { readonly name: string; readonly type: string };
export type TokenValue = string | number | bigint | boolean | Uint8Array | null;

type Form = {
  readonly info: Buffer;
  readonly write: (value: Exclude<TokenValue, null>) => Buffer;
  readonly none: Buffer;
};

const byteNull = u8(0);
const chunksNull = Buffer.alloc(8, 0xff);
const inByte = (body: Buffer): Buffer => Buffer.concat([u8(body.length), body]);
const inChunks = (body: Buffer): Buffer =>
  Buffer.concat([u64(BigInt(body.length)), ...(body.length === 0 ? [] : [u32(body.length), body]), u32(0)]);

const whole = (bytes: number): Form => ({
  info: Buffer.from([0x26, bytes]),
  none: byteNull,
  write: (value) => {
    const body = Buffer.alloc(8);
    body.writeBigInt64LE(BigInt(value as bigint));
    return inByte(body.subarray(0, bytes));
  },
});

/** Returns a decimal text as an integer, in units of its last decimal place (`scale`). */
function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale)) * (text.startsWith('-') ? -1n : 1n);
}

const littleEndian = (value: bigint, bytes: number): Buffer =>
  Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex').reverse();

const decimal = (precision: number, scale: number): Form => ({
  info: Buffer.from([0x6a, 17, precision, scale]),
  none: byteNull,
  write: (value) => {
    const units = unitsOf(String(value), scale);
    return inByte(Buffer.concat([u8(units < 0n ? 0 : 1), littleEndian(units < 0n ? -units : units, 16)]));
  },
});

const money: Form = {
  info: Buffer.from([0x6e, 8]),
  none: byteNull,
  write: (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(unitsOf(String(value), 4));
    return inByte(Buffer.concat([bytes.subarray(4), bytes.subarray(0, 4)]));
  },
};

const dayMs = 86_400_000;
const daysOf = (date: string): Buffer => {
  const days = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse('0001-01-01T00:00:00Z')) / dayMs);
  return littleEndian(BigInt(days), 3);
};
/** Returns the time since midnight in units of 100 ns. */
const ticksOf = (time: string): Buffer => {
  const [clock = '00:00:00', fraction = ''] = time.split('.');
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  const ticks = BigInt((hours * 60 + minutes) * 60 + seconds) * 10_000_000n;
  return littleEndian(ticks + BigInt(fraction.padEnd(7, '0').slice(0, 7)), 5);
};

const dateTime2: Form = {
  info: Buffer.from([0x2a, 7]),
  none: byteNull,
  write: (value) => {
    const [date = '', time = ''] = String(value).split(/[T ]/);
    return inByte(Buffer.concat([ticksOf(time), daysOf(date)]));
  },
};

const forms: Readonly<Record<string, Form>> = {
  int: whole(4),
  bigint: whole(8),
  bit: {
    info: Buffer.from([0x68, 1]),
    none: byteNull,
    write: (value) => inByte(u8(Number(value) === 0 ? 0 : 1)),
  },
  float: {
    info: Buffer.from([0x6d, 8]),
    none: byteNull,
    write: (value) => {
      const body = Buffer.alloc(8);
      body.writeDoubleLE(Number(value));
      return inByte(body);
    },
  },
  money,
  date: { info: u8(0x28), none: byteNull, write: (value) => inByte(daysOf(String(value))) },
  datetime2: dateTime2,
  datetimeoffset: {
    info: Buffer.from([0x2b, 7]),
    none: byteNull,
    write: (value) => {
      const [date = '', time = ''] = String(value).replace('Z', '').split(/[T ]/);
      return inByte(Buffer.concat([ticksOf(time), daysOf(date), u16(0)]));
    },
  },
  varbinary: {
    info: Buffer.concat([u8(0xa5), u16(0xffff)]),
    none: chunksNull,
    write: (value) => inChunks(Buffer.from(value as Uint8Array)),
  },
  nvarchar: {
    info: Buffer.concat([u8(0xe7), u16(0xffff), collation]),
    none: chunksNull,
    write: (value) => inChunks(wide(String(value))),
  },
};

/** Returns the encoding of a type. Unknown types are encoded as `nvarchar`. */
function formOf(type: string): Form {
  const [, name = '', precision = '18', scale = '0'] = /^(\w+)(?:\((\d+)(?:,\s*(\d+))?\))?/.exec(type) ?? [];
  if (name === 'decimal') return decimal(Number(precision), Number(scale));
  return forms[name] ?? (forms['nvarchar'] as Form);
}

export const columnsToken = (columns: readonly TokenColumn[]): Buffer =>
  Buffer.concat([
    u8(0x81),
    u16(columns.length),
    ...columns.flatMap(({ name, type }) => [u32(0), u16(9), formOf(type).info, shortText(name)]),
  ]);

export const rowToken = (columns: readonly TokenColumn[], values: readonly TokenValue[]): Buffer =>
  Buffer.concat([
    u8(0xd1),
    ...columns.map(({ type }, at) => {
      const form = formOf(type);
      const value = values[at] ?? null;
      return value === null ? form.none : form.write(value);
    }),
  ]);
