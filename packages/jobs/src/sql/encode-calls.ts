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
 * The statements that store batches as `copyData` makes them, one transaction. It does not wait for the disk: when the
 * server of the database itself goes down, rows of its last moments (three times `wal_writer_delay`, 0.6 s) may be lost.
 */
export function copyCallsText(schema: string, batchCount: number): string {
  const copy = `copy ${schema}.endpoint_call_log (${columns.map(([column]) => column).join(', ')}) from stdin (format binary)`;
  return `set local synchronous_commit = off; ${Array(batchCount).fill(copy).join('; ')}`;
}

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
const headBytesExpected = 320;
const timestampUnitsPerMs = 1_000;
const utf8BytesPerUnitMax = 3;

let sequence = 0;

/** Longer texts are written by a call that costs as much as so many characters one by one. */
const singlyWrittenMax = 24;
const asciiMax = 0x7f;
/** Columns at the end that most rows have nothing in. */
const restCount = 8;

/**
 * What the rows of a source begin with, which differs by the outcome only: everything up to the group, with ids, times,
 * duration and status to be filled in.
 */
type RowHead = { readonly bytes: Buffer; readonly sourceBytes: number };
// Where they are, from the end of the source's columns on, each behind its length.
const idAt = lengthBytes;
const traceIdAt = idAt + uuidBytes + lengthBytes;
const beganAt = traceIdAt + uuidBytes + lengthBytes;
const expireAt = beganAt + 8 + lengthBytes;
const durationAt = expireAt + 8 + lengthBytes;
/** From the end of a head backwards: the group, before it the status. */
const groupBytesFromEnd = lengthBytes;
const statusBytesFromEnd = groupBytesFromEnd + 4;

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

  int16(value: number): void {
    this.#view.setInt16(this.at, value);
    this.at += 2;
  }

  int32(value: number): void {
    this.#view.setInt32(this.at, value);
    this.at += 4;
  }

  #timestamp(at: number, ms: number): void {
    const micros = Math.round((ms - timestampEpochMs) * timestampUnitsPerMs);
    const high = Math.floor(micros / 0x1_0000_0000);
    this.#view.setInt32(at, high);
    this.#view.setUint32(at + 4, micros - high * 0x1_0000_0000);
  }

  /** Writes everything up to the group, for which nothing is written. */
  head({ bytes, sourceBytes }: RowHead, call: EndpointCall): void {
    this.bytes.set(bytes, this.at);
    const start = this.at + sourceBytes;
    this.at += bytes.length;
    // Of the time at which the call began; calls of one millisecond are in the order in which they ended.
    sequence += 1;
    const view = this.#view;
    const id = start + idAt;
    const traceId = start + traceIdAt;
    writeUuidV7(view, id, call.atMs, sequence);
    // Its trace has the same id, unless it has another.
    if (call.traceId !== null) this.bytes.write(call.traceId.replaceAll('-', ''), traceId, 'hex');
    else for (let at = 0; at < uuidBytes; at += 4) view.setUint32(traceId + at, view.getUint32(id + at));
    this.#timestamp(start + beganAt, call.atMs);
    this.#timestamp(start + expireAt, call.expireAtMs);
    view.setFloat64(start + durationAt, call.durationMs);
    view.setInt32(this.at - statusBytesFromEnd, call.statusCode);
  }

  /** Columns without anything in them. */
  nothing(count: number): void {
    for (let left = count; left > 0; left -= 1) this.int32(absent);
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

type RowHeads = { readonly source: CallSource; readonly success: RowHead; readonly failed: RowHead };
const headsBySource = new WeakMap<CallSource, RowHeads>();
/** Those of the last call: many calls are of the same endpoint as the one before. */
let lastHeads: RowHeads | null = null;

function encodeHead(source: CallSource, outcome: EndpointCall['outcome']): RowHead {
  const writer = new RowWriter(headBytesExpected);
  writer.int16(columns.length);
  writer.text(source.application);
  writer.text(source.method);
  writer.text(source.routeTemplate);
  writer.text(source.operation);
  writer.text(source.machineName);
  const sourceBytes = writer.at;
  writer.reserve(headBytesExpected);
  for (const size of [uuidBytes, uuidBytes, 8, 8, 8]) {
    writer.int32(size);
    writer.at += size;
  }
  writer.text(outcome);
  writer.reserve(headBytesExpected);
  writer.int32(4);
  writer.at += 4;
  writer.int32(absent);
  return { bytes: Buffer.from(writer.bytes.subarray(0, writer.at)), sourceBytes };
}

function headOf({ source, outcome }: EndpointCall): RowHead {
  if (lastHeads?.source !== source) {
    lastHeads = headsBySource.get(source) ?? {
      source,
      success: encodeHead(source, 'Success'),
      failed: encodeHead(source, 'Failed'),
    };
    headsBySource.set(source, lastHeads);
  }
  return outcome === 'Success' ? lastHeads.success : lastHeads.failed;
}

function writeCall(writer: RowWriter, call: EndpointCall): void {
  const head = headOf(call);
  writer.reserve(head.bytes.length);
  writer.head(head, call);
  if (call.groupName !== null) {
    writer.at -= groupBytesFromEnd;
    writer.text(call.groupName);
  }
  writer.text(call.remoteIp);
  writer.text(call.userAgent);
  const { detail } = call;
  if (detail === null) {
    writer.reserve(restCount * lengthBytes);
    writer.nothing(restCount);
    return;
  }
  writer.text(detail.userName);
  writer.text(detail.exceptionType);
  writer.text(detail.exceptionMessage);
  writer.jsonb(detail.requestHeaders);
  writer.jsonb(detail.responseHeaders);
  writer.text(detail.requestBody);
  writer.text(detail.responseBody);
  writer.jsonb(detail.tags);
}

/**
 * Rows of calls one behind the other, encoded: so they take little room while they wait, and no work of the
 * collector's. Its memory can be used again for others.
 */
export class CallRows {
  readonly #writer: RowWriter;
  /** Where rows begin; as many as were added count. */
  readonly #starts: number[] = [];
  #first = 0;
  /** Rows that were added since it was empty. */
  addedCount = 0;

  /** @param bytesExpected room that is taken at once; more is taken when it is needed. */
  constructor(bytesExpected: number) {
    this.#writer = new RowWriter(bytesExpected);
  }

  add(call: EndpointCall): void {
    const start = this.#writer.at;
    writeCall(this.#writer, call);
    this.#starts[this.addedCount] = start;
    this.addedCount += 1;
  }

  get count(): number {
    return this.addedCount - this.#first;
  }

  /** Bytes that it holds, whether they are used or not. */
  get size(): number {
    return this.#writer.bytes.length;
  }

  /** Forgets all rows and keeps the memory. */
  clear(): void {
    this.#writer.at = 0;
    this.#first = 0;
    this.addedCount = 0;
  }

  dropFirst(): void {
    this.#first += 1;
  }

  /** All rows. */
  get bytes(): Buffer {
    const start = this.count > 0 ? (this.#starts[this.#first] ?? 0) : this.#writer.at;
    return this.#writer.bytes.subarray(start, this.#writer.at);
  }

  /** The rows one by one, decoded. */
  *decoded(): Generator<DecodedCall> {
    for (let at = this.#first; at < this.addedCount; at += 1) {
      yield decodeCall(this.#writer.bytes, this.#starts[at] ?? 0);
    }
  }
}

/** Rows that one statement stores. */
export type CallBatch = readonly CallRows[];

/** What `COPY` reads: rows with what has to stand before and after them. */
export const copyData = (batch: CallBatch): Buffer[] => [header, ...batch.map(({ bytes }) => bytes), trailer];

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
