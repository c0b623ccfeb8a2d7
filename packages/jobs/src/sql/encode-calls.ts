import { uuidBytes, writeUuidV7 } from '../uuid.ts';
import type { CallSource, EndpointCall } from './endpoint-calls.ts';

// The columns of the source come first and together: they are the same for every call of an endpoint.
const sourceColumns = ['application', 'method', 'route_template', 'operation', 'machine_name'];
const columns = [
  ...sourceColumns,
  'id',
  'trace_id',
  'at',
  'expire_at',
  'duration_ms',
  'outcome',
  'status_code',
  'group_name',
  'remote_ip',
  'user_agent',
  'user_name',
  'exception_type',
  'exception_message',
  'request_headers',
  'response_headers',
  'request_body',
  'response_body',
  'tags',
];

/** The statement that reads what `encodeCalls` makes. */
export const copyCallsText = (schema: string): string =>
  `copy ${schema}.endpoint_call_log (${columns.join(', ')}) from stdin (format binary)`;

/** Signature, flags and length of the extension: the beginning of every binary `COPY`. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const lengthBytes = 4;
const absent = -1;
const jsonbVersion = 1;
/** 2000-01-01 in ms since 1970: where PostgreSQL's timestamps begin. */
const timestampEpochMs = 946_684_800_000;
const bytesPerRowExpected = 320;
/** Columns of fixed size with their lengths: ids, times, duration, status, and the number of columns. */
const fixedBytesMax = 160;
const utf8BytesPerUnitMax = 3;

let sequence = 0;

function writeCallId(call: EndpointCall, target: Buffer, offset: number): void {
  if (call.id) {
    call.id.copy(target, offset);
    return;
  }
  // Of the time at which the call began; calls of one millisecond are in the order in which they ended.
  sequence += 1;
  writeUuidV7(target, offset, call.atMs, sequence);
}

/** The bytes of a call's id. */
export function callId(call: EndpointCall): Buffer {
  if (!call.id) {
    const made = Buffer.alloc(uuidBytes);
    writeCallId(call, made, 0);
    call.id = made;
  }
  return call.id;
}

/** Writes rows in the binary format of `COPY`. */
class RowWriter {
  bytes: Buffer;
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  raw(bytes: Buffer): void {
    this.reserve(bytes.length);
    bytes.copy(this.bytes, this.at);
    this.at += bytes.length;
  }

  int16(value: number): void {
    this.at = this.bytes.writeInt16BE(value, this.at);
  }

  int32(value: number): void {
    this.at = this.bytes.writeInt32BE(value, this.at);
  }

  float64(value: number): void {
    this.int32(8);
    this.at = this.bytes.writeDoubleBE(value, this.at);
  }

  timestamp(ms: number): void {
    const micros = Math.round((ms - timestampEpochMs) * 1_000);
    const high = Math.floor(micros / 0x1_0000_0000);
    this.int32(8);
    this.int32(high);
    this.at = this.bytes.writeUInt32BE(micros - high * 0x1_0000_0000, this.at);
  }

  text(value: string | null): void {
    this.reserve(lengthBytes + (value?.length ?? 0) * utf8BytesPerUnitMax);
    if (value === null) {
      this.int32(absent);
      return;
    }
    const size = this.bytes.write(value, this.at + lengthBytes);
    this.int32(size);
    this.at += size;
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

const sources = new WeakMap<CallSource, Buffer>();

function encodedSource(source: CallSource): Buffer {
  const known = sources.get(source);
  if (known) return known;
  const writer = new RowWriter(bytesPerRowExpected);
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

/** Writes both ids; returns where the call's own is. */
function writeIds(writer: RowWriter, call: EndpointCall): number {
  const { bytes } = writer;
  writer.int32(uuidBytes);
  const idAt = writer.at;
  writeCallId(call, bytes, idAt);
  writer.at += uuidBytes;
  writer.int32(uuidBytes);
  if (call.traceId === null) bytes.copy(bytes, writer.at, idAt, idAt + uuidBytes);
  else bytes.write(call.traceId.replaceAll('-', ''), writer.at, 'hex');
  writer.at += uuidBytes;
  return idAt;
}

/** Writes a row; returns where its id is. */
function writeCall(writer: RowWriter, call: EndpointCall): number {
  writer.reserve(fixedBytesMax);
  writer.int16(columns.length);
  writer.raw(encodedSource(call.source));
  writer.reserve(fixedBytesMax);
  const idAt = writeIds(writer, call);
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
  return idAt;
}

/** Rows of calls as `COPY` reads them. */
export type EncodedCalls = {
  readonly bytes: Buffer;
  /** Gives the calls the ids under which they are encoded, so that the next try writes them under the same. */
  keepIds(): void;
};

/** Calls in the binary format of `COPY`, in the order of `copyCallsText`. */
export function encodeCalls(calls: readonly EndpointCall[]): EncodedCalls {
  const writer = new RowWriter(header.length + calls.length * bytesPerRowExpected);
  const idAts: number[] = [];
  writer.raw(header);
  for (const call of calls) idAts.push(writeCall(writer, call));
  writer.reserve(2);
  writer.int16(-1);
  const bytes = writer.bytes.subarray(0, writer.at);
  return {
    bytes,
    keepIds: () => {
      for (const [index, call] of calls.entries()) {
        const at = idAts[index] ?? 0;
        call.id ??= Buffer.from(bytes.subarray(at, at + uuidBytes));
      }
    },
  };
}
