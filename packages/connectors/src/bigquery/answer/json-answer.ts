import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { parseDescription } from '../../http/json/bounded-json.ts';
import { readWhole } from '../../http/whole-body.ts';
import { unreadableAnswer } from '../errors.ts';

/** Reads the whole body. The bound on bytes applies before parsing. */
export async function readBytes(answer: HttpAnswer, bytesMax: number): Promise<Buffer> {
  const body = await readWhole(answer, bytesMax);
  if (body) return body;
  throw new ConnectorError(
    'too-many-bytes',
    `An answer of the service has more than ${plural(bytesMax, 'byte')}.`,
  );
}

/** Parses the body. Returns undefined for an empty body. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const value = parseDescription(body.toString());
  if (value === undefined) throw unreadableAnswer();
  return value;
}
