import type { IncomingMessage } from 'node:http';
import { invalid, Problem } from '../problem.ts';

const bodyBytesMax = 1_000_000;
const urlLengthMax = 8_192;

/** Path segments below the prefix, and query of a request. */
export type Place = { readonly segments: readonly string[]; readonly query: URLSearchParams };

/** Returns the complete URL. Express stores it separately from the URL that it passes on. */
const addressOf = (request: IncomingMessage): string => {
  const { originalUrl } = request as { originalUrl?: unknown };
  return typeof originalUrl === 'string' ? originalUrl : (request.url ?? '/');
};

/** Returns true for a request below the prefix. */
export function isBelow(request: IncomingMessage, prefix: string): boolean {
  const address = addressOf(request);
  if (!address.startsWith(prefix)) return false;
  const next = address[prefix.length];
  return next === undefined || next === '/' || next === '?';
}

/**
 * Parses the URL of a request below the prefix.
 *
 * @throws Problem 400 for a URL that is too long or whose path cannot be decoded.
 */
export function placeOf(request: IncomingMessage, prefix: string): Place {
  const address = addressOf(request);
  if (address.length > urlLengthMax) throw invalid(`An address has at most ${urlLengthMax} characters.`);
  const at = address.indexOf('?');
  const path = address.slice(prefix.length, at < 0 ? undefined : at);
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  try {
    return {
      segments: segments.map((segment) => decodeURIComponent(segment)),
      query: new URLSearchParams(at < 0 ? '' : address.slice(at + 1)),
    };
  } catch (error) {
    throw error instanceof URIError ? invalid('The path is not a valid address.') : error;
  }
}

/**
 * Reads the JSON body of a change. An empty body yields an empty object.
 *
 * @throws Problem 400, 413, 415.
 */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers['content-type'] ?? '';
  // A form of another site cannot send this type without a preflight request.
  if (!/^application\/json(\s*;|$)/i.test(type)) {
    throw new Problem('json-required', 'Send the body as application/json.');
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > bodyBytesMax) throw new Problem('body-too-large', 'The request body is too large.');
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body must be a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/**
 * Refuses a change that a page of another site made a browser send. Accepts requests without origin headers, because
 * they come from programs.
 *
 * @throws Problem 403.
 */
export function refuseCrossSite(request: IncomingMessage): void {
  const site = request.headers['sec-fetch-site'];
  const { origin, host } = request.headers;
  const crossSite = new Problem('cross-site-request', 'A page of another site sent this request.');
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw crossSite;
    return;
  }
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw crossSite;
}
