import { uuidText } from '../../db/uuid.ts';
import { absent, columnCountBytes, lengthBytes } from './binary-writer.ts';

/** How a value is encoded. */
export type Kind = 'text' | 'uuid' | 'float8' | 'integer' | 'bigint' | 'boolean' | 'jsonb';

type Column = readonly [column: string, name: string, kind: Kind];

// Names of the columns, of the same values in the statement that inserts one row, and how they are encoded. First those
// that every row has and that are as long in each.
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
/** Of what most calls have nothing of: rows without it name none of these columns. */
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
/** In the order in which they are written. */
export const allColumns = [...summaryColumns, ...detailColumns];

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

/** The row that begins there. */
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
