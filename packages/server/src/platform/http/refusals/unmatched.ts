import type { Endpoint } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

export type RoutePattern = { readonly method: string; readonly pattern: RegExp };

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Returns the pattern of an endpoint's path. */
export const patternOfEndpoint = ({ method, path }: Endpoint): RoutePattern => ({
  method,
  pattern: patternOf(path),
});

/** Returns a 405 if the path exists with other methods, else a 404. */
export function unmatched(patterns: readonly RoutePattern[], request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? '/';
  const allowed = [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ];
  if (allowed.length === 0)
    return new Refusal('not-found', {
      detail: 'There is nothing at this path. The paths that there are: /openapi/v1.json.',
    });
  const allow = allowed.includes('GET') ? ['HEAD', ...allowed] : allowed;
  return new Refusal('method-not-allowed', {
    detail: `This path takes ${allow.join(', ')}.`,
    headers: { allow: allow.join(', ') },
  });
}
