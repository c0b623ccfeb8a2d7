import type { FastifyReply } from 'fastify';

/** Headers of every response under `/svc/api`: no caching, no content sniffing, no framing. */
const apiHeaders: readonly (readonly [string, string])[] = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
];

const hstsHeader = 'max-age=31536000; includeSubDomains';

/** Sets the headers of an API response. */
export function setApiHeaders(reply: FastifyReply, isSecure: boolean): void {
  for (const [name, value] of apiHeaders) reply.header(name, value);
  if (isSecure) reply.header('strict-transport-security', hstsHeader);
}

/** Sets the headers of a page: no inline script, styles by nonce, no frames, no other origin. */
export function setPageHeaders(
  reply: FastifyReply,
  options: { isSecure: boolean; styleNonce: string },
): void {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${options.styleNonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  reply.header('content-security-policy', policy.join('; '));
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'same-origin');
  reply.header('cross-origin-opener-policy', 'same-origin');
  reply.header('cross-origin-resource-policy', 'same-origin');
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  if (options.isSecure) reply.header('strict-transport-security', hstsHeader);
}
