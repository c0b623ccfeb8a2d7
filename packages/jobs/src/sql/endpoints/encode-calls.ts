import { uuidBytes, uuidText, writeUuidV7 } from '../../db/uuid.ts';
import type { EndpointCall } from './endpoint-calls.ts';

type Kind = 'text' | 'uuid' | 'float8' | 'integer' | 'bigint' | 'boolean' | 'jsonb';

type Column = readonly [column: string, name: string, kind: Kind];

// Names of the columns, of the same values in the statement that inserts one row, and how they are encoded. First those
// that every row has and that are as long in each.
const summaryColumns: readonly Column[] = [
  ['source_id', 'sourceId', 'bigint'],
  ['id', 'id', 'uuid'],
  ['duration_ms', 'durationMs', 'float8'],
  ['status_code', 'statusCode', 'integer'],
  ['is_failed', 'isFailed', 'boolean'],
  ['group_name', 'groupName', 'text'],
  ['trace_id', 'traceId', 'uuid'],
  ['remote_ip', 'remoteIp', 'text'],
  ['user_agent', 'userAgent', 'text'],
];
/** Of what most calls have nothing of: rows without it name none of these columns. */
const detailColumns: readonly Column[] = [
  ['user_name', 'userName', 'text'],
  ['exception_type', 'exceptionType', 'text'],
  ['exception_message', 'exceptionMessage', 'text'],
  ['request_headers', 'requestHeaders', 'jsonb'],
  ['response_headers', 'responseHeaders', 'jsonb'],
  ['request_body', 'requestBody', 'text'],
  ['response_body', 'responseBody', 'text'],
  ['tags', 'tags', 'jsonb'],
];
const allColumns = [...summaryColumns, ...detailColumns];

const columnsOf = ({ hasDetail }: CallRows): readonly Column[] => (hasDetail ? allColumns : summaryColumns);

/**
 * The statements that store batches as `copyData` makes them, one transaction. It does not wait for the disk: when the
 * server of the database itself goes down, rows of its last moments (three times `wal_writer_delay`, 0.6 s) may be lost.
 */
export function copyCallsText(schema: string, batches: readonly CallRows[]): string {
  const copies = batches.map((batch) => {
    const names = columnsOf(batch).map(([column]) => column);
    return `copy ${schema}.endpoint_call_log (${names.join(', ')}) from stdin (format binary)`;
  });
  return ['set local synchronous_commit = off', ...copies].join('; ');
}

/** Signature, flags and length of the extension: the beginning of every binary `COPY`. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** The end of every binary `COPY`: a row of -1 columns. */
const trailer = Buffer.from([0xff, 0xff]);
const columnCountBytes = 2;
const lengthBytes = 4;
const absent = -1;
const jsonbVersion = 1;
const utf8BytesPerUnitMax = 3;

let sequence = 0;

/** Longer texts are written by a call that costs as much as so many characters one by one. */
const singlyWrittenMax = 24;
const asciiMax = 0x7f;

// Where the values of a row are that are as long in each, every one behind its length.
const sourceAt = columnCountBytes + lengthBytes;
const idAt = sourceAt + 8 + lengthBytes;
const durationAt = idAt + uuidBytes + lengthBytes;
const statusAt = durationAt + 8 + lengthBytes;
const failedAt = statusAt + 4 + lengthBytes;
const headBytes = failedAt + 1;

/** The beginning of a row, up to its group: everything but the number of its columns and the values. */
const emptyHead = ((): Buffer => {
  const head = Buffer.alloc(headBytes);
  for (const [at, size] of [
    [sourceAt, 8],
    [idAt, uuidBytes],
    [durationAt, 8],
    [statusAt, 4],
    [failedAt, 1],
  ] as const) {
    head.writeInt32BE(size, at - lengthBytes);
  }
  return head;
})();

/** The last row that nothing is told of but source, caller and outcome: most rows are like the one before. */
const plain = {
  sourceId: 0n,
  outcome: '',
  remoteIp: null as string | null,
  userAgent: null as string | null,
  bytes: Buffer.alloc(0),
};

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

  int32(value: number): void {
    this.#view.setInt32(this.at, value);
    this.at += 4;
  }

  /** Copies what rows have in common. */
  bytesOf(bytes: Buffer): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Fills in what every row has of its own, in the row that begins there. */
  values(start: number, { atMs, durationMs, statusCode }: EndpointCall): void {
    const view = this.#view;
    // Of the time at which the call began; calls of one millisecond are in the order in which they ended.
    sequence += 1;
    writeUuidV7(view, start + idAt, atMs, sequence);
    view.setFloat64(start + durationAt, durationMs);
    view.setInt32(start + statusAt, statusCode);
  }

  /** The beginning of a row of this source, up to its group. */
  head({ source, outcome }: EndpointCall, columnCount: number): void {
    const start = this.at;
    this.bytesOf(emptyHead);
    this.#view.setInt16(start, columnCount);
    this.#view.setBigInt64(start + sourceAt, source.id);
    this.bytes[start + failedAt] = outcome === 'Failed' ? 1 : 0;
  }

  uuid(value: string | null): void {
    this.reserve(lengthBytes + uuidBytes);
    if (value === null) {
      this.int32(absent);
      return;
    }
    this.int32(uuidBytes);
    this.at += this.bytes.write(value.replaceAll('-', ''), this.at, 'hex');
  }

  /** Columns without anything in them. */
  nothing(count: number): void {
    this.reserve(count * lengthBytes);
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

/** Writes a row of which nothing is told but source, caller and outcome. */
function writePlain(writer: RowWriter, call: EndpointCall): void {
  const { source, outcome, remoteIp, userAgent } = call;
  const start = writer.at;
  if (
    plain.sourceId === source.id &&
    plain.outcome === outcome &&
    plain.remoteIp === remoteIp &&
    plain.userAgent === userAgent
  ) {
    writer.bytesOf(plain.bytes);
  } else {
    writer.head(call, summaryColumns.length);
    writer.text(null);
    writer.uuid(null);
    writer.text(remoteIp);
    writer.text(userAgent);
    plain.sourceId = source.id;
    plain.outcome = outcome;
    plain.remoteIp = remoteIp;
    plain.userAgent = userAgent;
    plain.bytes = Buffer.from(writer.bytes.subarray(start, writer.at));
  }
  writer.values(start, call);
}

function writeSummary(writer: RowWriter, call: EndpointCall, columnCount: number): void {
  const start = writer.at;
  writer.head(call, columnCount);
  writer.values(start, call);
  writer.text(call.groupName);
  writer.uuid(call.traceId);
  writer.text(call.remoteIp);
  writer.text(call.userAgent);
}

/** Writes a row with the columns of its detail, whether it has any or not. */
function writeDetailed(writer: RowWriter, call: EndpointCall): void {
  const { detail } = call;
  writeSummary(writer, call, allColumns.length);
  if (detail === null) {
    writer.nothing(detailColumns.length);
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
 * A batch of rows that one statement stores, one behind the other, encoded: so they take little room while they wait,
 * and no work of the collector's. Its memory can be used again for others.
 */
export class CallRows {
  readonly #writer: RowWriter;
  /** Where rows begin; as many as were added count. */
  readonly #starts: number[] = [];
  #first = 0;
  #hasDetail = false;
  /** Rows that were added since it was empty. */
  addedCount = 0;

  /** @param bytesExpected room that is taken at once; more is taken when it is needed. */
  constructor(bytesExpected: number) {
    this.#writer = new RowWriter(bytesExpected);
  }

  /** Whether rows have the columns of a detail; the first row decides it for all. */
  get hasDetail(): boolean {
    return this.#hasDetail;
  }

  /** Whether there is a place for everything that is told of the call. */
  takes({ detail }: EndpointCall): boolean {
    return detail === null || this.#hasDetail || this.addedCount === 0;
  }

  /** Adds a row that it takes. */
  add(call: EndpointCall): void {
    const writer = this.#writer;
    if (this.addedCount === 0) this.#hasDetail = call.detail !== null;
    this.#starts[this.addedCount] = writer.at;
    this.addedCount += 1;
    if (this.#hasDetail) writeDetailed(writer, call);
    else if (call.groupName === null && call.traceId === null) writePlain(writer, call);
    else writeSummary(writer, call, summaryColumns.length);
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

/** What `COPY` reads: rows with what has to stand before and after them. */
export const copyData = ({ bytes }: CallRows): Buffer[] => [header, bytes, trailer];

/** A row by the names of the statement that inserts one. */
export type DecodedCall = Readonly<Record<string, unknown>> & { readonly id: string };

function decodeValue(kind: Kind, bytes: Buffer): unknown {
  if (kind === 'uuid') return uuidText(bytes);
  if (kind === 'float8') return bytes.readDoubleBE();
  if (kind === 'integer') return bytes.readInt32BE();
  // As a text: a number of JSON would be rounded.
  if (kind === 'bigint') return String(bytes.readBigInt64BE());
  if (kind === 'boolean') return bytes[0] === 1;
  return kind === 'jsonb' ? JSON.parse(bytes.toString('utf8', 1)) : bytes.toString('utf8');
}

function decodeCall(bytes: Buffer, start: number): DecodedCall {
  const columnCount = bytes.readInt16BE(start);
  let at = start + columnCountBytes;
  const entries = allColumns.map(([, name, kind], place) => {
    if (place >= columnCount) return [name, null];
    const size = bytes.readInt32BE(at);
    at += lengthBytes;
    if (size === absent) return [name, null];
    const value = decodeValue(kind, bytes.subarray(at, at + size));
    at += size;
    return [name, value];
  });
  return Object.fromEntries(entries);
}
