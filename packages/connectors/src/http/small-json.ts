import type { HttpAnswer } from './client.ts';

const smallBytesMax = 65_536;

/** A small answer: what a service says of a request, or an error. Undefined where it is no JSON, or not small. */
export async function readJson({ body }: HttpAnswer): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > smallBytesMax) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
