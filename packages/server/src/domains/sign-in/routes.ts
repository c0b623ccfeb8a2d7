import {
  getAntiforgeryToken,
  getCurrentUser,
  getPermissions,
  getSignInOptions,
  login,
  logout,
} from '@svc/contract';
import { type Antiforgery, type Route, refuseCrossSite, route } from '../../platform/http/index.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../sessions/index.ts';
import type { SignInService } from './service.ts';

export type SignInRouteOptions = {
  readonly antiforgery: Antiforgery;
  /** Hosts of trusted pages, in addition to the host of the request. */
  readonly trustedHosts: ReadonlySet<string>;
  /** True when the password route exists: local login is on, or a break-glass name is configured. */
  readonly hasPasswordRoute: boolean;
};

export function signInRoutes(service: SignInService, options: SignInRouteOptions): Route[] {
  const { antiforgery, trustedHosts } = options;
  const passwordRoute = route(login, async ({ request, reply, body, clientAddress, traceId, signal }) => {
    refuseCrossSite(request, trustedHosts);
    const browser = {
      clientAddress,
      traceId,
      signal,
      userAgent: request.headers['user-agent'],
      sessionToken: readSessionCookie(request),
    };
    const { session, user } = await service.signIn(body, browser, reply);
    setSessionCookie(request, reply, session);
    antiforgery.rotate(request, reply);
    return user;
  });
  return [
    ...(options.hasPasswordRoute ? [passwordRoute] : []),
    route(logout, async (context) => {
      const { request, reply, query } = context;
      refuseCrossSite(request, trustedHosts);
      await service.signOut(context, { everywhere: query.everywhere ?? false });
      clearSessionCookie(request, reply);
      antiforgery.rotate(request, reply);
      reply.header('clear-site-data', '"cache"');
      return undefined;
    }),
    route(getCurrentUser, ({ caller }) => service.currentUser(caller)),
    route(getSignInOptions, async () => service.signInOptions()),
    route(getPermissions, async ({ caller }) => service.permissionsOf(caller)),
    route(getAntiforgeryToken, async ({ request, reply, caller }) => ({
      token: antiforgery.issue(request, reply, caller),
    })),
  ];
}
