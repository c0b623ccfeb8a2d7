import { ConnectorError } from '../error.ts';
import type { HttpAnswer } from '../http/client.ts';
import { unreadableAnswer } from './errors.ts';

/** The whole body, which is bounded before it is looked at. */
export async function readBytes(
  { body }: HttpAnswer,
  bytesMax: number,
  tooMany = `An answer of the service has more than ${bytesMax} bytes.`,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new ConnectorError('too-many-bytes', tooMany);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
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
