import { frontChannelLogout, signOnCallback, startSingleSignOn } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Antiforgery,
  answered,
  cookiePath,
  guardedCookieName,
  type Route,
  route,
  withBase,
  withoutBase,
} from '../../platform/http/index.ts';
import { readSessionCookie, setSessionCookie } from '../sessions/index.ts';
import { type SingleSignOnService, transactionSeconds } from './service.ts';

export type SingleSignOnRouteOptions = {
  readonly antiforgery: Antiforgery;
  readonly callbackPath: string;
  /** Origin of the service for browsers; undefined: the origin of the request. */
  readonly publicOrigin: string | undefined;
  readonly hasFrontChannelLogout: boolean;
  /** Origin of the identity provider, which may show the sign-out page in a frame. */
  readonly issuerOrigin: string;
};

const tokenShape = /^[\w-]{43}$/;
const cookie = 'Svc.SignIn';
const errorPath = '/svc/error';

export function singleSignOnRoutes(service: SingleSignOnService, options: SingleSignOnRouteOptions): Route[] {
  const redirectUriOf = (request: FastifyRequest): string =>
    originOf(request) + withBase(request, options.callbackPath);
  const originOf = (request: FastifyRequest): string =>
    options.publicOrigin ??
    `${request.svc.origin.isSecure ? 'https' : 'http'}://${request.headers.host ?? ''}`;

  const challenge = route(startSingleSignOn, async ({ request, reply, query, clientAddress }) => {
    const returnTo = query.returnUrl && withoutBase(query.returnUrl, request.svc.basePath);
    const redirectUri = redirectUriOf(request);
    const { url, token } = await service.challenge(redirectUri, returnTo, clientAddress, reply);
    setTransactionCookie(request, reply, token);
    reply.redirect(url, 302);
    return answered;
  });
  const callback = route(
    { ...signOnCallback, path: options.callbackPath },
    async ({ request, reply, clientAddress, traceId }) => {
      const name = guardedCookieName(request, cookie);
      const token = request.cookies[name];
      reply.clearCookie(name, {
        path: cookiePath(request),
        httpOnly: true,
        sameSite: 'lax',
        secure: request.svc.origin.isSecure,
      });
      const url = new URL(withBase(request, request.url), originOf(request));
      const outcome = await service.callback(
        url,
        token !== undefined && tokenShape.test(token) ? token : undefined,
        {
          clientAddress,
          traceId,
          userAgent: request.headers['user-agent'],
          sessionToken: readSessionCookie(request),
        },
      );
      if (outcome.ok) {
        setSessionCookie(request, reply, outcome.session);
        options.antiforgery.rotate(request, reply);
      }
      reply.redirect(outcome.ok ? outcome.returnTo : `${errorPath}?reason=sso-${outcome.reason}`, 302);
      return answered;
    },
  );
  const logout = route(frontChannelLogout, async ({ reply, query }) => {
    if (query.sid !== undefined) await service.frontChannelLogout(query.sid, query.iss);
    // The provider displays this page in a frame.
    reply.header('content-security-policy', `default-src 'none'; frame-ancestors ${options.issuerOrigin}`);
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.type('text/html; charset=utf-8').send('<!doctype html><title>Signed out</title>');
    return answered;
  });
  return [challenge, callback, ...(options.hasFrontChannelLogout ? [logout] : [])];
}

function setTransactionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(guardedCookieName(request, cookie), token, {
    path: cookiePath(request),
    httpOnly: true,
    sameSite: 'lax',
    secure: request.svc.origin.isSecure,
    maxAge: transactionSeconds,
  });
}
