import { ConnectorError } from '../error.ts';
import type { HttpAnswer } from '../http/client.ts';
import { readWhole } from '../http/whole-body.ts';
import { unreadableAnswer } from './errors.ts';

/** The whole body, which is bounded before it is looked at. */
export async function readBytes(
  answer: HttpAnswer,
  bytesMax: number,
  tooMany = `An answer of the service has more than ${bytesMax} bytes.`,
): Promise<Buffer> {
  const body = await readWhole(answer, bytesMax);
  if (!body) throw new ConnectorError('too-many-bytes', tooMany);
  return body;
}

/** The object that a body is; undefined for an answer without one. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw unreadableAnswer();
  }
}
