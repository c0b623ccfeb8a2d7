import { type Endpoint, problemsOf, takesIdempotencyKey } from '@svc/contract';
import { isPagedList } from '../page-links.ts';

type Json = Record<string, unknown>;

const text = (description: string): Json => ({ description, schema: { type: 'string' } });

const retryAfter = {
  description: 'Seconds to wait before the next attempt.',
  schema: { type: 'integer', minimum: 1 },
};
const link = text('The `first`, `prev` and `next` page of the list (RFC 8288), those that there are.');
const rateLimitHeaders = {
  'RateLimit-Policy': text('The limit by its name: `q` requests in `w` seconds.'),
  RateLimit: text('What is left of it: `r` requests, and the whole quota again in `t` seconds.'),
};

const replayed = text('`true` where this is the answer that the same Idempotency-Key got before.');

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request does the work once, and gets the same answer for 24 h.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that came with the record: refused with 412 when it was changed meanwhile.',
  schema: { type: 'string' },
};

/** The headers that an endpoint takes by name. */
export const headerParameters = (endpoint: Endpoint): Json[] => [
  ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
  ...(problemsOf(endpoint).includes('invalid-if-match') ? [ifMatch] : []),
];

/** The headers of an endpoint's answer beyond those of every answer; nothing where there are none. */
export function headersOf(endpoint: Endpoint, status: number): { readonly headers?: Json } {
  const isSuccess = status < 400;
  const headers = {
    ...(status === 429 && { 'Retry-After': retryAfter }),
    ...(endpoint.rateLimit && (isSuccess || status === 429) && rateLimitHeaders),
    ...(isSuccess && takesIdempotencyKey(endpoint) && { 'Idempotency-Replayed': replayed }),
    ...(status === 200 && isPagedList(endpoint) && { Link: link }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}
