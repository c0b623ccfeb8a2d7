import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiePath } from '../../platform/http/index.ts';

const name = 'Svc.Auth';
const shape = /^[\w-]{43}$/;

/** The session token that a browser sent; undefined when there is none or it cannot be one. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[name];
  return value !== undefined && shape.test(value) ? value : undefined;
}

/**
 * Hands the token to the browser. Without `expiresAt` the cookie goes when the browser is closed; with it, it stays,
 * but never longer than the session.
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
