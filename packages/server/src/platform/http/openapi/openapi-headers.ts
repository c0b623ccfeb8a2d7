import type { Endpoint } from '@svc/contract';
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

/** The headers of an endpoint's answer beyond those of every answer; nothing where there are none. */
export function headersOf(endpoint: Endpoint, status: number): { readonly headers?: Json } {
  const isSuccess = status < 400;
  const headers = {
    ...(status === 429 && { 'Retry-After': retryAfter }),
    ...(endpoint.rateLimit && (isSuccess || status === 429) && rateLimitHeaders),
    ...(status === 200 && isPagedList(endpoint) && { Link: link }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}
