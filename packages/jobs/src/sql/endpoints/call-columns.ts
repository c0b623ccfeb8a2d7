import { uuidText } from '../../db/uuid.ts';
import { absent, columnCountBytes, lengthBytes } from './binary-writer.ts';

/** Encoding of a value. */
export type Kind = 'text' | 'uuid' | 'float8' | 'integer' | 'bigint' | 'boolean' | 'jsonb';

type Column = readonly [column: string, name: string, kind: Kind];

// Column name, name of the value in the statement that inserts a single row, and encoding. Columns with a value in
// every row and of fixed length come first.
export const summaryColumns: readonly Column[] = [
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
/** Detail columns. Most calls have no detail, and their rows omit these columns. */
export const detailColumns: readonly Column[] = [
  ['user_name', 'userName', 'text'],
  ['exception_type', 'exceptionType', 'text'],
  ['exception_message', 'exceptionMessage', 'text'],
  ['request_headers', 'requestHeaders', 'jsonb'],
  ['response_headers', 'responseHeaders', 'jsonb'],
  ['request_body', 'requestBody', 'text'],
  ['response_body', 'responseBody', 'text'],
  ['tags', 'tags', 'jsonb'],
];
/** All columns, in the order of the encoded row. */
export const allColumns = [...summaryColumns, ...detailColumns];

/** Decoded row, by the value names of the statement that inserts a single row. */
export type DecodedCall = Readonly<Record<string, unknown>> & { readonly id: string };

function decodeValue(kind: Kind, bytes: Buffer): unknown {
  if (kind === 'uuid') return uuidText(bytes);
  if (kind === 'float8') return bytes.readDoubleBE();
  if (kind === 'integer') return bytes.readInt32BE();
  // Returned as text: a JSON number would be rounded.
  if (kind === 'bigint') return String(bytes.readBigInt64BE());
  if (kind === 'boolean') return bytes[0] === 1;
  return kind === 'jsonb' ? JSON.parse(bytes.toString('utf8', 1)) : bytes.toString('utf8');
}

/** Decodes the row at offset `start`. */
export function decodeCall(bytes: Buffer, start: number): DecodedCall {
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
