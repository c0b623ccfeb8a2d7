import { ConnectorError } from '../../error.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { parseDescription } from '../../http/json/bounded-json.ts';
import { property } from '../../http/json/json-property.ts';
import { JsonScanner } from '../../http/json/json-scanner.ts';
import { unreadableAnswer } from '../errors.ts';
import { type JobName, readJobName } from '../statement/job.ts';
import { type BigQueryField, readSchema } from './schema.ts';

/** One answer about a job: rows, or the state that the job still runs. */
export type Page = {
  /** Job of the rows; undefined for an answer without one. */
  readonly job: JobName | undefined;
  readonly isComplete: boolean;
  /** Absent while `isComplete` is false. */
  readonly fields?: readonly BigQueryField[];
  /** JSON texts, one per row. */
  readonly rows: readonly string[];
  readonly totalRows?: number;
  readonly pageToken?: string;
  readonly scannedBytes?: number;
  /** Present only in the first answer of a job that has already finished. */
  readonly billedBytes?: number;
  /** Size of the answer. */
  readonly byteCount: number;
};

/** Bounds of one answer. */
export type PageLimits = {
  /** Number of rows that the request asked for. */
  readonly rowsMax: number;
  readonly bytesMax: number;
  readonly rowBytesMax: number;
  /** Message for an answer that exceeds `bytesMax`. */
  readonly tooMany: string;
};

/** Fields of an answer in addition to its rows. */
const headNames = [
  'jobReference',
  'jobComplete',
  'schema',
  'totalRows',
  'pageToken',
  'totalBytesProcessed',
  'totalBytesBilled',
] as const;
const headBytesMax = 8 * 1_024 * 1_024;
/** Codes of the scanner that mean a size limit. All its other codes mean an unreadable answer. */
const sizeCodes = new Set(['too-many-bytes', 'value-too-large']);

/**
 * Reads an answer of `jobs.query` or `jobs.getQueryResults`. The scanner cuts the rows out of the stream, and their
 * number is checked before any row is parsed.
 */
export async function readPage({ body }: HttpAnswer, limits: PageLimits): Promise<Page> {
  const scanner = new JsonScanner({
    rows: ['rows'],
    mayLackRows: true,
    maxRowBytes: limits.rowBytesMax,
    maxWantedBytes: headBytesMax,
    wanted: Object.fromEntries(headNames.map((name) => [name, [name]])),
  });
  const rows: string[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of body) {
      byteCount += chunk.length;
      if (byteCount > limits.bytesMax) throw new ConnectorError('too-many-bytes', limits.tooMany);
      for (const row of scanner.push(chunk)) rows.push(row);
      if (rows.length > limits.rowsMax) throw unreadableAnswer();
    }
    scanner.end();
  } catch (error) {
    throw error instanceof ConnectorError && !sizeCodes.has(error.code) ? unreadableAnswer() : error;
  }
  return { ...readHead(readWanted(scanner)), rows, byteCount };
}

function readWanted(scanner: JsonScanner): unknown {
  const entries = headNames.flatMap((name) => {
    const text = scanner.found(name);
    if (text === undefined) return [];
    const value = parseDescription(text);
    if (value === undefined) throw unreadableAnswer();
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

const pageTokenLengthMax = 8_192;

function readHead(head: unknown): Omit<Page, 'rows' | 'byteCount'> {
  const job = readJobName(head);
  const isComplete = property(head, 'jobComplete');
  if (typeof isComplete !== 'boolean') throw unreadableAnswer();
  if (!isComplete) return { job, isComplete };
  const fields = readSchema(property(head, 'schema'));
  const [token, total] = [property(head, 'pageToken'), property(head, 'totalRows')];
  if (!fields || typeof total !== 'string' || !/^\d{1,15}$/.test(total)) throw unreadableAnswer();
  if (token !== undefined && (typeof token !== 'string' || token.length > pageTokenLengthMax))
    throw unreadableAnswer();
  return {
    job,
    isComplete,
    fields,
    totalRows: Number(total),
    ...(token !== undefined && token !== '' && { pageToken: token }),
    ...readBytes(head),
  };
}

function readBytes(head: unknown): Pick<Page, 'scannedBytes' | 'billedBytes'> {
  const scannedBytes = byteCountIn(property(head, 'totalBytesProcessed'));
  const billedBytes = byteCountIn(property(head, 'totalBytesBilled'));
  return {
    ...(scannedBytes !== undefined && { scannedBytes }),
    ...(billedBytes !== undefined && { billedBytes }),
  };
}

const byteCountIn = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,19}$/.test(text) ? Number(text) : undefined;
