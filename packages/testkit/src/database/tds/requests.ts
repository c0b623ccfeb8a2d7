/** Parsers of client messages (TDS 7.4). They throw for messages that deviate from the documentation. */

export type Login = {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly program: string;
  readonly tdsVersion: number;
};

export const encryption = { off: 0, on: 1, notSupported: 2, required: 3 };

const preloginEnd = 0xff;
const preloginEncryption = 1;

/** Returns the encryption option that the client requests. */
export function readPrelogin(body: Buffer): number {
  for (let at = 0; body.readUInt8(at) !== preloginEnd; at += 5)
    if (body.readUInt8(at) === preloginEncryption) return body.readUInt8(body.readUInt16BE(at + 1));
  return encryption.notSupported;
}

export function preloginAnswer(wish: number): Buffer {
  const options: readonly (readonly [number, Buffer])[] = [
    [0, Buffer.from([16, 0, 0x10, 0x04, 0, 0])],
    [preloginEncryption, Buffer.from([wish])],
    [2, Buffer.from([0])],
    [3, Buffer.alloc(0)],
    [4, Buffer.from([0])],
  ];
  let offset = options.length * 5 + 1;
  const heads = options.map(([option, data]) => {
    const head = Buffer.alloc(5);
    head[0] = option;
    head.writeUInt16BE(offset, 1);
    head.writeUInt16BE(data.length, 3);
    offset += data.length;
    return head;
  });
  return Buffer.concat([...heads, Buffer.from([preloginEnd]), ...options.map(([, data]) => data)]);
}

export function readLogin7(body: Buffer): Login {
  if (body.readUInt32LE(0) !== body.length)
    throw new Error('The length of LOGIN7 is not that of its message.');
  const bytesAt = (at: number): Buffer => {
    const from = body.readUInt16LE(at);
    const end = from + body.readUInt16LE(at + 2) * 2;
    if (end > body.length) throw new Error('A field of LOGIN7 ends behind it.');
    return body.subarray(from, end);
  };
  const textAt = (at: number): string => bytesAt(at).toString('utf16le');
  // The client swaps the halves of each byte and combines the byte with 0xa5 by XOR.
  const password = Buffer.from(bytesAt(44));
  for (const [at, byte] of password.entries()) {
    const mixed = byte ^ 0xa5;
    password[at] = ((mixed & 0x0f) << 4) | (mixed >> 4);
  }
  return {
    tdsVersion: body.readUInt32LE(4),
    user: textAt(40),
    password: password.toString('utf16le'),
    program: textAt(48),
    database: textAt(68),
  };
}

/** Reads the headers of a request. Returns the transaction and the bytes after the headers. */
function readHeaders(body: Buffer): { readonly rest: Buffer; readonly transaction: bigint } {
  const length = body.readUInt32LE(0);
  if (length < 4 || length > body.length) throw new Error('The headers of a request are longer than it.');
  let transaction = 0n;
  for (let at = 4; at < length; at += body.readUInt32LE(at))
    if (body.readUInt16LE(at + 4) === 2) transaction = body.readBigUInt64LE(at + 6);
  return { rest: body.subarray(length), transaction };
}

export type StatementRequest = {
  readonly sql: string;
  readonly transaction: bigint;
  readonly isProcedure: boolean;
  readonly values: Readonly<Record<string, string | null>>;
};

export function readBatch(body: Buffer): StatementRequest {
  const { rest, transaction } = readHeaders(body);
  return { sql: rest.toString('utf16le'), transaction, isProcedure: false, values: {} };
}

const executeSql = 10;

/** Reads a call of `sp_executesql` by number. Statement, declarations and values must be Unicode text. */
export function readRpc(body: Buffer): StatementRequest {
  const { rest, transaction } = readHeaders(body);
  if (rest.readUInt16LE(0) !== 0xffff || rest.readUInt16LE(2) !== executeSql)
    throw new Error('Only sp_executesql is a procedure here.');
  const parameters: { readonly name: string; readonly value: string | null }[] = [];
  for (let at = 6; at < rest.length; ) {
    const nameEnd = at + 1 + rest.readUInt8(at) * 2;
    const name = rest.toString('utf16le', at + 1, nameEnd);
    if (rest.readUInt8(nameEnd + 1) !== 0xe7) throw new Error('A parameter is no nvarchar.');
    const max = rest.readUInt16LE(nameEnd + 2);
    const read = max === 0xffff ? readChunks(rest, nameEnd + 9) : readShort(rest, nameEnd + 9);
    parameters.push({ name, value: read.value });
    at = read.end;
  }
  const [statement, , ...values] = parameters;
  return {
    sql: statement?.value ?? '',
    transaction,
    isProcedure: true,
    values: Object.fromEntries(values.map(({ name, value }) => [name.replace('@', ''), value])),
  };
}

type Value = { readonly value: string | null; readonly end: number };

function readShort(bytes: Buffer, at: number): Value {
  const length = bytes.readUInt16LE(at);
  if (length === 0xffff) return { value: null, end: at + 2 };
  return { value: bytes.toString('utf16le', at + 2, at + 2 + length), end: at + 2 + length };
}

function readChunks(bytes: Buffer, from: number): Value {
  if (bytes.readBigUInt64LE(from) === 0xff_ff_ff_ff_ff_ff_ff_ffn) return { value: null, end: from + 8 };
  let at = from + 8;
  const parts: Buffer[] = [];
  for (let length = bytes.readUInt32LE(at); length !== 0; length = bytes.readUInt32LE(at)) {
    parts.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { value: Buffer.concat(parts).toString('utf16le'), end: at + 4 };
}
