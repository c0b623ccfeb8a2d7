import { ConnectorError } from '../error.ts';
import { parseDescription } from '../http/bounded-json.ts';
import type { HttpAnswer } from '../http/client.ts';
import { property } from '../http/json-property.ts';
import { JsonScanner } from '../http/json-scanner.ts';
import { unreadableAnswer } from './errors.ts';
import { type JobName, readJobName } from './job.ts';
import { type BigQueryField, readSchema } from './schema.ts';

/** Some rows of a job, or that there are none yet. */
export type Page = {
  /** Whose rows they are; undefined where the answer does not tell. */
  readonly job: JobName | undefined;
  readonly isComplete: boolean;
  /** Absent while it is not complete. */
  readonly fields?: readonly BigQueryField[];
  /** Texts of JSON. */
  readonly rows: readonly string[];
  readonly totalRows?: number;
  readonly pageToken?: string;
  readonly scannedBytes?: number;
  /** Only the first answer of a job has them, and only where the job is over by then. */
  readonly billedBytes?: number;
  /** Of the answer. */
  readonly byteCount: number;
};

/** Bounds of one answer. */
export type PageLimits = {
  /** So many were asked for. */
  readonly rowsMax: number;
  readonly bytesMax: number;
  readonly rowBytesMax: number;
  /** What is said of an answer of more bytes. */
  readonly tooMany: string;
};

/** What an answer says beside its rows. */
const headNames = [
  ...['jobReference', 'jobComplete', 'schema', 'totalRows', 'pageToken'],
  ...['totalBytesProcessed', 'totalBytesBilled'],
] as const;
const headBytesMax = 8 * 1_024 * 1_024;
/** What the scanner says of an answer's size; everything else is, of an answer of BigQuery, an answer that is none. */
const sizeCodes = new Set(['too-many-bytes', 'value-too-large']);

/**
 * Reads an answer of `jobs.query` or `jobs.getQueryResults`. Its rows are cut out as they come, and counted before any
 * of them is parsed.
 */
export async function readPage({ body }: HttpAnswer, limits: PageLimits): Promise<Page> {
  const scanner = new JsonScanner({
    ...{ rows: ['rows'], mayLackRows: true, maxRowBytes: limits.rowBytesMax, maxWantedBytes: headBytesMax },
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
  const found = headNames.flatMap((name) => {
    const text = scanner.found(name);
    if (text === undefined) return [];
    const value = parseDescription(text);
    if (value === undefined) throw unreadableAnswer();
    return [[name, value]];
  });
  return Object.fromEntries(found);
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
    ...{ job, isComplete, fields, totalRows: Number(total) },
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
