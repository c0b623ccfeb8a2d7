import type { HttpAnswer } from './client.ts';

/** The whole body of an answer; undefined where it has more bytes than that, of which none is held then. */
export async function readWhole({ body }: HttpAnswer, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
