import { GrowingBuffer } from '../growing-buffer.ts';
import type { HttpAnswer } from './client.ts';

/** Reads the whole body of an answer; undefined for more than `bytesMax` bytes, which are not retained. */
export async function readWhole({ body }: HttpAnswer, bytesMax: number): Promise<Buffer | undefined> {
  const bytes = new GrowingBuffer(bytesMax);
  for await (const chunk of body) {
    if (bytes.length + chunk.length > bytesMax) return undefined;
    bytes.add(chunk);
  }
  return bytes.bytes();
}
