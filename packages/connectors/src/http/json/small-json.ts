import type { HttpAnswer } from '../client.ts';
import { readWhole } from '../whole-body.ts';

const smallBytesMax = 65_536;

/** Reads a small answer of a service, such as an error. Undefined for an invalid or a large one. */
export async function readJson(answer: HttpAnswer, bytesMax = smallBytesMax): Promise<unknown> {
  const body = await readWhole(answer, bytesMax);
  if (!body) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
