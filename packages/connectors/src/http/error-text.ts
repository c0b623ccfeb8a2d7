import type { HttpAnswer } from './client.ts';
import { type HiddenSecret, withoutEnd } from './hidden-secret.ts';

const errorBytesMax = 65_536;

/** What an answer says; with why it could not be read to its end. */
type ErrorText = { readonly text: string; readonly failure?: unknown };

/**
 * What an answer says of an error, as far as it came and a bound allows. A text that is cut there holds no part of the
 * secret at its end; whole ones are still to be hidden in it. Never rejects.
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
