import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The path below which a host mounts the service: every route, link and cookie is relative to it. Inside the service
 * paths begin with `/svc` and the like; the base is cut off when a request comes in, and put in front of what leaves.
 */

const wellKnown = '/.well-known/';

/**
 * A request's URL without the base. A proxy may have cut it off already. Clients of a protected resource look for its
 * document at the root of the host, with the path of the resource behind it: that place counts as well.
 *
 * @param url  path and query, as they stand in the request line.
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

/** A path of ours as browsers know it. */
export const withBase = (request: FastifyRequest, path: string): string => request.svc.basePath + path;

/** Puts the base in front of where an answer leads, unless that is another site. */
export function moveLocation(request: FastifyRequest, reply: FastifyReply): void {
  const { basePath } = request.svc ?? { basePath: '' };
  const location = reply.getHeader('location');
  if (basePath === '' || typeof location !== 'string') return;
  if (location.startsWith('/') && !location.startsWith('//')) reply.header('location', basePath + location);
}

/** Where a cookie of ours counts: below the base alone, so that two services of one host do not share it. */
export const cookiePath = (request: FastifyRequest): string => request.svc.basePath || '/';

/**
 * The name of a cookie that no sister host may plant. Browsers hold names with `__Host-` to that, over TLS and for
 * the whole host; below a base `__Secure-` is what is left.
 */
export function guardedCookieName(request: FastifyRequest, name: string): string {
  if (!request.svc.origin.isSecure) return name;
  return request.svc.basePath === '' ? `__Host-${name}` : `__Secure-${name}`;
}
