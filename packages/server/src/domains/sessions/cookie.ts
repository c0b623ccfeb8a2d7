import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiePath } from '../../platform/http/index.ts';

const name = 'Svc.Auth';
const shape = /^[\w-]{43}$/;

/** Returns the session token of a request; undefined when it is missing or malformed. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[name];
  return value !== undefined && shape.test(value) ? value : undefined;
}

/**
 * Sets the session cookie. With `isPersistent` it expires with the session. Otherwise it ends when the browser closes.
 */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { token: string; expiresAt: Date; isPersistent: boolean },
): void {
  reply.setCookie(name, session.token, {
    path: cookiePath(request),
    httpOnly: true,
    sameSite: 'lax',
    secure: request.svc.origin.isSecure,
    ...(session.isPersistent && { expires: session.expiresAt }),
  });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(name, {
    path: cookiePath(request),
    httpOnly: true,
    sameSite: 'lax',
    secure: request.svc.origin.isSecure,
  });
}
