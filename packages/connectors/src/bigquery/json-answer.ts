import { ConnectorError } from '../error.ts';
import type { HttpAnswer } from '../http/client.ts';
import { JsonScanner } from '../http/json-scanner.ts';
import { readWhole } from '../http/whole-body.ts';
import { unreadableAnswer } from './errors.ts';

/** The whole body, which is bounded before it is looked at. */
export async function readBytes(answer: HttpAnswer, bytesMax: number): Promise<Buffer> {
  const body = await readWhole(answer, bytesMax);
  if (!body)
    throw new ConnectorError('too-many-bytes', `An answer of the service has more than ${bytesMax} bytes.`);
  return body;
}

/** The object that a body is; undefined for an answer without one. */
export function readJson(body: Buffer): unknown {
  return body.length === 0 ? undefined : readText(body.toString());
}

/** A text of JSON. */
export function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadableAnswer();
  }
}

/** What an answer with rows may have. */
export type RowLimits = {
  /** Rows that were asked for: the service sends no more. */
  readonly rowsMax: number;
  readonly maxRowBytes: number;
};

export type AnswerWithRows = {
  /** The members that were named, of those that are there. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Each as a text of JSON: a row is parsed once its size is known, and one after the other. */
  readonly rows: readonly string[];
  readonly byteCount: number;
};

const memberBytesMax = 2 * 1_024 * 1_024;

/** Reads an answer that has its rows under `rows`, and these members of its own beside them. */
export async function readAnswerWithRows(
  { body }: HttpAnswer,
  members: readonly string[],
  { rowsMax, maxRowBytes, bytesMax, tooMany }: RowLimits & { bytesMax: number; tooMany: string },
): Promise<AnswerWithRows> {
  const wanted = Object.fromEntries(members.map((name) => [name, [name]]));
  const scanner = new JsonScanner({
    ...{ rows: ['rows'], mayLackRows: true, wanted, maxWantedBytes: memberBytesMax, maxRowBytes },
  });
  const rows: string[] = [];
  let byteCount = 0;
  for await (const chunk of body) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new ConnectorError('too-many-bytes', tooMany);
    for (const row of scanned(() => scanner.push(chunk))) rows.push(row);
    if (rows.length > rowsMax) throw unreadableAnswer();
  }
  scanned(() => scanner.end());
  const found = members.flatMap((name) => {
    const text = scanner.found(name);
    return text === undefined ? [] : [[name, readText(text)] as const];
  });
  return { json: Object.fromEntries(found), rows, byteCount };
}

/** What is wrong with the form of an answer is, of an answer of BigQuery, an answer that is none. */
function scanned<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConnectorError && error.code === 'value-too-large') throw error;
    throw unreadableAnswer();
  }
}
