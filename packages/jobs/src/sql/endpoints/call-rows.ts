import { uuidBytes, writeUuidV7 } from '../../db/uuid.ts';
import { type BinaryWriter, columnCountBytes, lengthBytes } from './binary-writer.ts';
import { allColumns, detailColumns, summaryColumns } from './call-columns.ts';
import type { EndpointCall } from './endpoint-calls.ts';

let sequence = 0;

// Offsets of the fixed-length values of a row. Each value follows its length field.
const sourceAt = columnCountBytes + lengthBytes;
const idAt = sourceAt + 8 + lengthBytes;
const durationAt = idAt + uuidBytes + lengthBytes;
const statusAt = durationAt + 8 + lengthBytes;
const failedAt = statusAt + 4 + lengthBytes;
const headBytes = failedAt + 1;

/** Head of a row, up to its group: only the length fields are filled in. */
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

/** Last encoded row with only a source, a caller and an outcome. Most rows equal the row before. */
const last = {
  sourceId: 0n,
  outcome: '',
  remoteIp: null as string | null,
  userAgent: null as string | null,
  bytes: Buffer.alloc(0),
};

/** Writes the values that differ in every row into the row at `start`. */
function writeValues({ view }: BinaryWriter, start: number, call: EndpointCall): void {
  const { atMs, durationMs, statusCode } = call;
  // The id contains the start time of the call. Calls that began in the same millisecond sort in the order of their ends.
  sequence += 1;
  writeUuidV7(view, start + idAt, atMs, sequence);
  view.setFloat64(start + durationAt, durationMs);
  view.setInt32(start + statusAt, statusCode);
}

/** Writes the head of a row, up to its group. */
function writeHead(writer: BinaryWriter, { source, outcome }: EndpointCall, columnCount: number): void {
  const start = writer.at;
  writer.bytesOf(emptyHead);
  writer.view.setInt16(start, columnCount);
  writer.view.setBigInt64(start + sourceAt, source.id);
  writer.bytes[start + failedAt] = outcome === 'Failed' ? 1 : 0;
}

/** Writes a row with only a source, a caller and an outcome. Copies the last such row when these values are equal. */
function writeRepeated(writer: BinaryWriter, call: EndpointCall): void {
  const { source, outcome, remoteIp, userAgent } = call;
  const start = writer.at;
  if (
    last.sourceId === source.id &&
    last.outcome === outcome &&
    last.remoteIp === remoteIp &&
    last.userAgent === userAgent
  ) {
    writer.bytesOf(last.bytes);
  } else {
    writeHead(writer, call, summaryColumns.length);
    writer.text(null);
    writer.uuid(null);
    writer.text(remoteIp);
    writer.text(userAgent);
    last.sourceId = source.id;
    last.outcome = outcome;
    last.remoteIp = remoteIp;
    last.userAgent = userAgent;
    last.bytes = Buffer.from(writer.bytes.subarray(start, writer.at));
  }
  writeValues(writer, start, call);
}

/** Writes the summary of a row that has `columnCount` columns. */
function writeSummary(writer: BinaryWriter, call: EndpointCall, columnCount: number): void {
  const start = writer.at;
  writeHead(writer, call, columnCount);
  writeValues(writer, start, call);
  writer.text(call.groupName);
  writer.uuid(call.traceId);
  writer.text(call.remoteIp);
  writer.text(call.userAgent);
}

/** Writes a row with the detail columns, which are null without a detail. */
function writeDetailed(writer: BinaryWriter, call: EndpointCall): void {
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

/** Writes the row of a call, with or without the detail columns. */
export function writeCall(writer: BinaryWriter, call: EndpointCall, hasDetail: boolean): void {
  if (hasDetail) writeDetailed(writer, call);
  else if (call.groupName === null && call.traceId === null) writeRepeated(writer, call);
  else writeSummary(writer, call, summaryColumns.length);
}
