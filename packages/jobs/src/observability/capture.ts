import type { ServerResponse } from 'node:http';
import type { HeaderNames } from './options.ts';

const redacted = '***';

type HeaderValue = number | string | readonly string[] | undefined;

/**
 * Returns headers for storage: redacted ones as `***`, at most `bytesMax` bytes of names and values in total. The value
 * that exceeds the limit is cut.
 */
export function captureHeaders(
  headers: Readonly<Record<string, HeaderValue>>,
  redactedHeaders: HeaderNames,
  bytesMax: number,
): Record<string, string> {
  const captured: [string, string][] = [];
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
    captured.push([name, kept]);
    left -= Buffer.byteLength(kept);
  }
  // No assignment: a header may be named `__proto__`.
  return Object.fromEntries(captured);
}

/**
 * Returns the beginning of a text, at most `bytesMax` bytes of UTF-8, with complete characters and without characters
 * that PostgreSQL refuses.
 */
export function cutText(text: string, bytesMax: number): string {
  // A UTF-16 unit has at most three bytes, so most texts fit without a byte count.
  if (text.length * 3 <= bytesMax && text.isWellFormed() && !text.includes('\0')) return text;
  const whole = text.replaceAll('\0', '').toWellFormed();
  if (Buffer.byteLength(whole) <= bytesMax) return whole;
  const bytes = Buffer.from(whole).subarray(0, bytesMax);
  // A cut character decodes to a replacement character at the end.
  return bytes.toString('utf8').replace(/\uFFFD$/, '');
}

/** Captured headers and body of a response. */
export type CapturedResponse = {
  /** Returns the beginning of the captured body, at most `bytesMax` bytes. */
  body(bytesMax: number): string;
  headers(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
};

type SentHeaders = Record<string, HeaderValue>;

/** Returns the headers passed to `writeHead`: an object, or a list of names and values. */
function headersOfCall(args: readonly unknown[]): SentHeaders {
  const given = typeof args[1] === 'string' ? args[2] : args[1];
  const pairs: (readonly [string, unknown])[] = !given
    ? []
    : !Array.isArray(given)
      ? Object.entries(given)
      : Array.isArray(given[0])
        ? given
        : given.flatMap((name, at) => (at % 2 === 0 ? [[String(name), given[at + 1]] as const] : []));
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value as HeaderValue]));
}

type Chunk = Buffer | { readonly text: string; readonly encoding: unknown };

/** Captured data of one response, and the response's original methods. */
class KeptResponse implements CapturedResponse {
  readonly #response: ServerResponse;
  readonly write: ServerResponse['write'];
  readonly end: ServerResponse['end'];
  readonly writeHead: ServerResponse['writeHead'];
  bodyBytesMax: number;
  /** Arguments of `writeHead`. `getHeaders()` does not return its headers when none were set before. */
  head: readonly unknown[] = [];
  readonly #chunks: Chunk[] = [];
  #size = 0;

  constructor(response: ServerResponse, bodyBytesMax: number) {
    this.#response = response;
    this.write = response.write;
    this.end = response.end;
    this.writeHead = response.writeHead;
    this.bodyBytesMax = bodyBytesMax;
  }

  keep(chunk: unknown, encoding: unknown): void {
    if (this.#size >= this.bodyBytesMax) return;
    // Texts are stored unencoded, because most captured bodies are never read. A text has at least half as many bytes
    // as UTF-16 units.
    if (typeof chunk === 'string') {
      this.#chunks.push({ text: chunk, encoding });
      this.#size += chunk.length / 2;
    } else if (chunk instanceof Uint8Array) {
      // Copied, because the writer may reuse the memory.
      this.#chunks.push(Buffer.from(chunk.subarray(0, this.bodyBytesMax)));
      this.#size += chunk.length;
    }
  }

  body(bytesMax: number): string {
    const bytes = this.#chunks.map((chunk) =>
      Buffer.isBuffer(chunk)
        ? chunk
        : Buffer.from(
            chunk.text.slice(0, bytesMax * 2),
            isEncoding(chunk.encoding) ? chunk.encoding : 'utf8',
          ),
    );
    return cutText(Buffer.concat(bytes).toString('utf8'), bytesMax);
  }

  headers(): SentHeaders {
    return { ...this.#response.getHeaders(), ...headersOfCall(this.head) };
  }
}

const kept = Symbol('kept');
type Teed = ServerResponse & { [kept]: KeptResponse };

// Shared functions for all responses: a closure per response would cost more than the capture itself.
function teedWrite(this: Teed, ...args: unknown[]): unknown {
  this[kept].keep(args[0], args[1]);
  return Reflect.apply(this[kept].write, this, args);
}
function teedEnd(this: Teed, ...args: unknown[]): unknown {
  this[kept].keep(args[0], args[1]);
  return Reflect.apply(this[kept].end, this, args);
}
function teedWriteHead(this: Teed, ...args: unknown[]): unknown {
  this[kept].head = args;
  return Reflect.apply(this[kept].writeHead, this, args);
}

/** Captures the headers of a response and the beginning of its body. The client receives the complete response. */
export function teeResponse(response: ServerResponse, bodyBytesMax: number): CapturedResponse {
  const teed = response as Teed;
  const existingCapture = teed[kept];
  if (existingCapture) {
    existingCapture.bodyBytesMax = Math.max(existingCapture.bodyBytesMax, bodyBytesMax);
    return existingCapture;
  }
  const made = new KeptResponse(response, bodyBytesMax);
  teed[kept] = made;
  response.write = teedWrite as ServerResponse['write'];
  response.end = teedEnd as ServerResponse['end'];
  response.writeHead = teedWriteHead as ServerResponse['writeHead'];
  return made;
}

const isEncoding = (value: unknown): value is BufferEncoding =>
  typeof value === 'string' && Buffer.isEncoding(value);
