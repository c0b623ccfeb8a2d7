import type { ServerResponse } from 'node:http';
import type { HeaderNames } from './options.ts';

const redacted = '***';

type HeaderValue = number | string | readonly string[] | undefined;

/**
 * Headers as they are stored: listed ones as `***`, and no more than so many bytes of names and values in all, the
 * value that goes beyond cut.
 */
export function captureHeaders(
  headers: Readonly<Record<string, HeaderValue>>,
  redactedHeaders: HeaderNames,
  bytesMax: number,
): Record<string, string> {
  const captured: Record<string, string> = {};
  let left = bytesMax;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    left -= Buffer.byteLength(name);
    if (left <= 0) break;
    const text = redactedHeaders.has(name)
      ? redacted
      : Array.isArray(value)
        ? value.join(', ')
        : String(value);
    const kept = cutText(text, left);
    captured[name] = kept;
    left -= Buffer.byteLength(kept);
  }
  return captured;
}

/** The beginning of a text, so many bytes of UTF-8 at most, no character cut in two, without what PostgreSQL refuses. */
export function cutText(text: string, bytesMax: number): string {
  const whole = text.replaceAll('\0', '').toWellFormed();
  if (Buffer.byteLength(whole) <= bytesMax) return whole;
  const bytes = Buffer.from(whole).subarray(0, bytesMax);
  // A character that was cut leaves a replacement character at the end.
  return bytes.toString('utf8').replace(/\uFFFD$/, '');
}

/** Keeps the beginning of what is written to a response; the client gets all of it. */
export function teeResponse(response: ServerResponse, bytesMax: number): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown, encoding: unknown) => {
    if (size >= bytesMax) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8')
        : chunk instanceof Uint8Array
          ? Buffer.from(chunk)
          : null;
    if (!bytes) return;
    const kept = bytes.subarray(0, bytesMax - size);
    chunks.push(kept);
    size += kept.length;
  };
  const { write, end } = response;
  const writeTeed = (...args: unknown[]) => {
    keep(args[0], args[1]);
    return Reflect.apply(write, response, args);
  };
  const endTeed = (...args: unknown[]) => {
    keep(args[0], args[1]);
    return Reflect.apply(end, response, args);
  };
  Object.assign(response, { write: writeTeed, end: endTeed });
  return () => cutText(Buffer.concat(chunks).toString('utf8'), bytesMax);
}
