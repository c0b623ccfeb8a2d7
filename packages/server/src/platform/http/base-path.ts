import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Base path: the path below which a host mounts the service. Every route, link and cookie is relative to it.
 * Internal paths begin with `/svc` and similar. The base is removed from incoming URLs and prepended to outgoing
 * ones.
 */

const wellKnown = '/.well-known/';

/**
 * Returns a request's URL without the base. A proxy may have removed it already. Clients of a protected resource
 * request its document at the root of the host, followed by the path of the resource. This form is also accepted.
 *
 * @param url Path and query of the request line.
 */
export function withoutBase(url: string, basePath: string): string {
  if (basePath === '') return url;
  if (startsWithPath(url, basePath)) return url.slice(basePath.length) || '/';
  if (!url.startsWith(wellKnown)) return url;
  const behind = url.indexOf('/', wellKnown.length);
  return behind > 0 && startsWithPath(url.slice(behind), basePath)
    ? url.slice(0, behind) + url.slice(behind + basePath.length)
    : url;
}

const startsWithPath = (url: string, path: string): boolean =>
  url.startsWith(path) && ['/', '?', undefined].includes(url[path.length]);

/** Returns the path of the service as browsers see it. */
export const withBase = (request: FastifyRequest, path: string): string => request.svc.basePath + path;

/** Prepends the base to the `Location` of a response, unless it is on another site. */
export function moveLocation(request: FastifyRequest, reply: FastifyReply): void {
  const { basePath } = request.svc ?? { basePath: '' };
  const location = reply.getHeader('location');
  if (basePath === '' || typeof location !== 'string') return;
  if (location.startsWith('/') && !location.startsWith('//')) reply.header('location', basePath + location);
}

/** Returns the path of the service's cookies: the base only, so that two services of one host do not share them. */
export const cookiePath = (request: FastifyRequest): string => request.svc.basePath || '/';

/**
 * Returns a cookie name that a sister host cannot set. Browsers enforce this for `__Host-` over TLS and for the
 * full host. Below a base, only `__Secure-` is possible.
 */
export function guardedCookieName(request: FastifyRequest, name: string): string {
  if (!request.svc.origin.isSecure) return name;
  return request.svc.basePath === '' ? `__Host-${name}` : `__Secure-${name}`;
}
