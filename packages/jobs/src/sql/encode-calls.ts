import { uuidBytes, uuidText, writeUuidV7 } from '../uuid.ts';
import type { CallSource, EndpointCall } from './endpoint-calls.ts';

type Kind = 'text' | 'uuid' | 'timestamp' | 'float8' | 'integer' | 'jsonb';

// Names of the columns, of the same values in the statement that inserts one row, and how they are encoded. Those of
// the source come first and together: they are the same for every call of an endpoint.
const columns: readonly (readonly [column: string, name: string, kind: Kind])[] = [
  ['application', 'application', 'text'],
  ['method', 'method', 'text'],
  ['route_template', 'routeTemplate', 'text'],
  ['operation', 'operation', 'text'],
  ['machine_name', 'machineName', 'text'],
  ['id', 'id', 'uuid'],
  ['trace_id', 'traceId', 'uuid'],
  ['at', 'atMs', 'timestamp'],
  ['expire_at', 'expireAtMs', 'timestamp'],
  ['duration_ms', 'durationMs', 'float8'],
  ['outcome', 'outcome', 'text'],
  ['status_code', 'statusCode', 'integer'],
  ['group_name', 'groupName', 'text'],
  ['remote_ip', 'remoteIp', 'text'],
  ['user_agent', 'userAgent', 'text'],
  ['user_name', 'userName', 'text'],
  ['exception_type', 'exceptionType', 'text'],
  ['exception_message', 'exceptionMessage', 'text'],
  ['request_headers', 'requestHeaders', 'jsonb'],
  ['response_headers', 'responseHeaders', 'jsonb'],
  ['request_body', 'requestBody', 'text'],
  ['response_body', 'responseBody', 'text'],
  ['tags', 'tags', 'jsonb'],
];

/**
 * The statements that store what `copyData` makes, one transaction. It does not wait for the disk: when the server of
 * the database itself goes down, rows of its last moments (three times `wal_writer_delay`, 0.6 s) may be lost.
 */
export const copyCallsText = (schema: string): string =>
  `set local synchronous_commit = off; copy ${schema}.endpoint_call_log (${columns.map(([column]) => column).join(', ')}) from stdin (format binary)`;

/** Signature, flags and length of the extension: the beginning of every binary `COPY`. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** The end of every binary `COPY`: a row of -1 columns. */
const trailer = Buffer.from([0xff, 0xff]);
const columnCountBytes = 2;
const lengthBytes = 4;
const absent = -1;
const jsonbVersion = 1;
/** 2000-01-01 in ms since 1970: where PostgreSQL's timestamps begin. */
const timestampEpochMs = 946_684_800_000;
const sourceBytesExpected = 256;
const timestampUnitsPerMs = 1_000;
/** Columns of fixed size with their lengths: ids, times, duration, status, and the number of columns. */
const fixedBytesMax = 160;
const utf8BytesPerUnitMax = 3;

let sequence = 0;

/** Longer texts are written by a call that costs as much as so many characters one by one. */
const singlyWrittenMax = 24;
const asciiMax = 0x7f;

/** Writes rows in the binary format of `COPY`. */
class RowWriter {
  bytes: Buffer;
  at = 0;
  #view: DataView;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.#view = viewOf(this.bytes);
  }

  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
    this.#view = viewOf(grown);
  }

  raw(bytes: Buffer): void {
    this.reserve(bytes.length);
    bytes.copy(this.bytes, this.at);
    this.at += bytes.length;
  }

  int16(value: number): void {
    this.#view.setInt16(this.at, value);
    this.at += 2;
  }

  int32(value: number): void {
    this.#view.setInt32(this.at, value);
    this.at += 4;
  }

  float64(value: number): void {
    this.int32(8);
    this.#view.setFloat64(this.at, value);
    this.at += 8;
  }

  timestamp(ms: number): void {
    const micros = Math.round((ms - timestampEpochMs) * timestampUnitsPerMs);
    const high = Math.floor(micros / 0x1_0000_0000);
    this.int32(8);
    this.int32(high);
    this.#view.setUint32(this.at, micros - high * 0x1_0000_0000);
    this.at += 4;
  }

  /** The id of a call, and its trace's: the same, unless it has another. */
  ids(atMs: number, traceId: string | null): void {
    this.int32(uuidBytes);
    const idAt = this.at;
    // Of the time at which the call began; calls of one millisecond are in the order in which they ended.
    sequence += 1;
    writeUuidV7(this.#view, idAt, atMs, sequence);
    this.at += uuidBytes;
    this.int32(uuidBytes);
    if (traceId === null) {
      for (let at = 0; at < uuidBytes; at += 4) {
        this.#view.setUint32(this.at + at, this.#view.getUint32(idAt + at));
      }
    } else {
      this.bytes.write(traceId.replaceAll('-', ''), this.at, 'hex');
    }
    this.at += uuidBytes;
  }

  text(value: string | null): void {
    if (value === null) {
      this.reserve(lengthBytes);
      this.int32(absent);
      return;
    }
    this.reserve(lengthBytes + value.length * utf8BytesPerUnitMax);
    if (value.length <= singlyWrittenMax && this.#asciiText(value)) return;
    const size = this.bytes.write(value, this.at + lengthBytes);
    this.int32(size);
    this.at += size;
  }

  /** Writes a short text character by character; false when it has others than those of ASCII. */
  #asciiText(value: string): boolean {
    const { bytes } = this;
    const start = this.at + lengthBytes;
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      if (unit > asciiMax) return false;
      bytes[start + at] = unit;
    }
    this.int32(value.length);
    this.at += value.length;
    return true;
  }

  jsonb(value: Readonly<Record<string, string>> | null): void {
    if (value === null) {
      this.text(null);
      return;
    }
    const text = JSON.stringify(value);
    this.reserve(lengthBytes + 1 + text.length * utf8BytesPerUnitMax);
    const size = 1 + this.bytes.write(text, this.at + lengthBytes + 1);
    this.int32(size);
    this.bytes[this.at] = jsonbVersion;
    this.at += size;
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

const sources = new WeakMap<CallSource, Buffer>();

function encodedSource(source: CallSource): Buffer {
  const known = sources.get(source);
  if (known) return known;
  const writer = new RowWriter(sourceBytesExpected);
  for (const value of [
    source.application,
    source.method,
    source.routeTemplate,
    source.operation,
    source.machineName,
  ]) {
    writer.text(value);
  }
  const made = Buffer.from(writer.bytes.subarray(0, writer.at));
  sources.set(source, made);
  return made;
}

function writeCall(writer: RowWriter, call: EndpointCall): void {
  writer.reserve(fixedBytesMax);
  writer.int16(columns.length);
  writer.raw(encodedSource(call.source));
  writer.reserve(fixedBytesMax);
  writer.ids(call.atMs, call.traceId);
  writer.timestamp(call.atMs);
  writer.timestamp(call.expireAtMs);
  writer.float64(call.durationMs);
  writer.text(call.outcome);
  writer.reserve(fixedBytesMax);
  writer.int32(4);
  writer.int32(call.statusCode);
  writer.text(call.groupName);
  writer.text(call.remoteIp);
  writer.text(call.userAgent);
  writer.text(call.userName);
  writer.text(call.exceptionType);
  writer.text(call.exceptionMessage);
  writer.jsonb(call.requestHeaders);
  writer.jsonb(call.responseHeaders);
  writer.text(call.requestBody);
  writer.text(call.responseBody);
  writer.jsonb(call.tags);
}

/** Rows of calls one behind the other, encoded: so they take little room while they wait, and no work of the collector's. */
export class CallRows {
  readonly #writer: RowWriter;
  readonly #starts: number[] = [];
  #first = 0;

  /** @param bytesExpected room that is taken at once; more is taken when it is needed. */
  constructor(bytesExpected: number) {
    this.#writer = new RowWriter(bytesExpected);
  }

  add(call: EndpointCall): void {
    const start = this.#writer.at;
    writeCall(this.#writer, call);
    this.#starts.push(start);
  }

  /** Rows that were ever added. */
  get addedCount(): number {
    return this.#starts.length;
  }

  get count(): number {
    return this.#starts.length - this.#first;
  }

  dropFirst(): void {
    this.#first += 1;
  }

  /** All rows. */
  get bytes(): Buffer {
    return this.#writer.bytes.subarray(this.#starts[this.#first] ?? this.#writer.at, this.#writer.at);
  }

  /** The rows one by one, decoded. */
  *decoded(): Generator<DecodedCall> {
    for (let at = this.#first; at < this.#starts.length; at += 1) {
      yield decodeCall(this.#writer.bytes, this.#starts[at] ?? 0);
    }
  }
}

/** What `COPY` reads: rows with what has to stand before and after them. */
export const copyData = (rows: readonly CallRows[]): Buffer[] => [
  header,
  ...rows.map(({ bytes }) => bytes),
  trailer,
];

/** A row by the names of the statement that inserts one. */
export type DecodedCall = Readonly<Record<string, unknown>> & { readonly id: string };

function decodeValue(kind: Kind, bytes: Buffer): unknown {
  if (kind === 'uuid') return uuidText(bytes);
  if (kind === 'timestamp') {
    return Number(bytes.readBigInt64BE()) / timestampUnitsPerMs + timestampEpochMs;
  }
  if (kind === 'float8') return bytes.readDoubleBE();
  if (kind === 'integer') return bytes.readInt32BE();
  return kind === 'jsonb' ? JSON.parse(bytes.toString('utf8', 1)) : bytes.toString('utf8');
}

function decodeCall(bytes: Buffer, start: number): DecodedCall {
  let at = start + columnCountBytes;
  const entries = columns.map(([, name, kind]) => {
    const size = bytes.readInt32BE(at);
    at += lengthBytes;
    if (size === absent) return [name, null];
    const value = decodeValue(kind, bytes.subarray(at, at + size));
    at += size;
    return [name, value];
  });
  return Object.fromEntries(entries);
}
