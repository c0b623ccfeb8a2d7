import type { HttpAnswer } from './client.ts';
import { type HiddenSecret, withoutEnd } from './hidden-secret.ts';

const errorBytesMax = 65_536;

/** Text of an answer, and the reason why reading stopped early. */
type ErrorText = { readonly text: string; readonly failure?: unknown };

/**
 * Reads the error text of an answer up to a bound. A cut text contains no part of the secret at its end. The caller
 * must still hide whole secrets in it. Never rejects.
 */
export async function readErrorText({ body }: HttpAnswer, secret: HiddenSecret): Promise<ErrorText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const bytesMax = errorBytesMax + secret.lengthMax;
  const text = (): string => Buffer.concat(chunks).toString();
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, bytesMax - bytes));
      bytes += chunk.length;
      if (bytes > bytesMax) return { text: withoutEnd(text(), secret) };
    }
  } catch (failure) {
    return { text: withoutEnd(text(), secret), failure };
  }
  return { text: text() };
}
