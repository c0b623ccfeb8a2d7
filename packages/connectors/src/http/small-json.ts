import type { HttpAnswer } from './client.ts';
import { readWhole } from './whole-body.ts';

const smallBytesMax = 65_536;

/** A small answer: what a service says of a request, or an error. Undefined where it is no JSON, or not small. */
export async function readJson(answer: HttpAnswer, bytesMax = smallBytesMax): Promise<unknown> {
  const body = await readWhole(answer, bytesMax);
  if (!body) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
