import {
  type AnswerHeader,
  type Endpoint,
  type HttpProblemCode,
  problemEntry,
  problemsOf,
  takesIdempotencyKey,
} from '@svc/contract';
import { isPagedList } from '../page-links.ts';

type Json = Record<string, unknown>;

const text = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers of responses, by name. Excludes the security headers that every response has. */
const answerHeaders = {
  'Trace-Id': text('Names the request in the log and in traces; every answer has it.'),
  ETag: text('The version of what is answered, for `If-Match` and `If-None-Match`.'),
  Location: text('Where what was made is found, or where the browser is sent.'),
  'Content-Disposition': text('The name of the file.'),
  'Set-Cookie': text('A cookie of the session, or of the antiforgery token.'),
  'Clear-Site-Data': text('What the browser throws away.'),
  'Access-Control-Allow-Origin': text('`*`: pages of any origin may read it.'),
  Link: text('The `first`, `prev` and `next` page of the list (RFC 8288), those that there are.'),
  'RateLimit-Policy': text('The limit by its name: `q` requests in `w` seconds.'),
  RateLimit: text('What is left of it: `r` requests, and the whole quota again in `t` seconds.'),
  'Idempotency-Replayed': text('`true` where this is the answer that the same Idempotency-Key got before.'),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': text('How a program says who it is (RFC 6750).'),
} as const satisfies Readonly<Record<string, Json>>;
type HeaderName = keyof typeof answerHeaders;

const componentOf = (name: string): string => name.replaceAll('-', '');

/** Returns the headers as components of the document. */
export const headerComponents = (): Json =>
  Object.fromEntries(Object.entries(answerHeaders).map(([name, header]) => [componentOf(name), header]));

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
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of what is known: answered with 304, without content, when it is still one of them.',
  schema: { type: 'string' },
};

const mayBeUnchanged = ({ responses }: Endpoint): boolean => Object.hasOwn(responses, 304);

/** Returns the request headers that an endpoint accepts. */
export const headerParameters = (endpoint: Endpoint): Json[] => [
  ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
  ...(problemsOf(endpoint).includes('invalid-if-match') ? [ifMatch] : []),
  ...(mayBeUnchanged(endpoint) ? [ifNoneMatch] : []),
];

/** Returns the headers that a refusal with one of these codes may have. */
function ofRefusal({ access }: Endpoint, status: number, codes: readonly HttpProblemCode[]): HeaderName[] {
  const tellsRetryAfter = status === 429 || codes.some((code) => problemEntry(code).tellsRetryAfter);
  // The MCP endpoint also names the missing scope.
  const isChallenge = status === 401 || (status === 403 && access.callers.includes('mcpCaller'));
  return [
    ...(tellsRetryAfter ? (['Retry-After'] as const) : []),
    ...(isChallenge ? (['WWW-Authenticate'] as const) : []),
  ];
}

/**
 * Returns a predicate for the headers that a status may have: only `ETag` for 304, only `Location` and `Set-Cookie`
 * for a redirect.
 */
const isOf =
  (status: number) =>
  (name: AnswerHeader): boolean => {
    if (status === 304) return name === 'ETag';
    return status >= 300 ? name === 'Location' || name === 'Set-Cookie' : true;
  };

function ofSuccess(endpoint: Endpoint, status: number): HeaderName[] {
  return [
    ...(endpoint.sends ?? []).filter(isOf(status)),
    ...(takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
    ...(status === 200 && isPagedList(endpoint) ? (['Link'] as const) : []),
  ];
}

/** Returns the headers of an endpoint's response with a status, as references. */
export function headersOf(
  endpoint: Endpoint,
  status: number,
  codes: readonly HttpProblemCode[] = [],
): { readonly headers: Json } {
  const names: readonly HeaderName[] = [
    ...(status < 400 ? ofSuccess(endpoint, status) : ofRefusal(endpoint, status, codes)),
    ...(endpoint.rateLimit ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    'Trace-Id',
  ];
  return {
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${componentOf(name)}` }]),
    ),
  };
}
