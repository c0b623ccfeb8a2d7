import { but, row } from '../expectation.ts';
import { anyone, everySignedIn } from '../presets.ts';

const headerCallers = {
  readKey: 400,
  executeKey: 400,
  executeKeyOfDemotedOwner: 400,
  bearerToken: 400,
  mcpCaller: 'open',
} as const;

/** Sign-in, session and antiforgery. */
export const signInRows = [
  row(
    'POST /svc/api/auth/login',
    but(anyone, { hostPrincipal: 404 }),
    'Anonymous; a blank request is refused as such, and a throttled one as such. It exists only where passwords do.',
    { passesWith: [400, 429] },
  ),
  row('POST /svc/api/auth/logout', anyone, 'Anonymous: signing out harms nobody.'),
  row('GET /svc/api/auth/me', anyone, 'Anonymous: answers with the current session, if there is one.'),
  row('GET /svc/api/auth/sso', anyone, 'Anonymous: the sign-in page asks whether SSO is offered.'),
  row(
    'GET /svc/api/auth/sso/challenge',
    but(anyone, { hostPrincipal: 404 }),
    'Anonymous where OIDC is enabled: it leads to the identity provider. Where a host owns sign-in there is nothing to start.',
    { passesWith: [302] },
  ),
  row(
    'GET /signin-oidc',
    but(anyone, { hostPrincipal: 404 }),
    'Anonymous where OIDC is enabled: what the provider did not say leads to the error page.',
    { passesWith: [302] },
  ),
  row(
    'GET /signout-oidc',
    but(anyone, { hostPrincipal: 404 }),
    'Anonymous where OIDC is enabled: it ends only the sessions that the provider names.',
    { passesWith: [200, 302] },
  ),
  row(
    'GET /svc/api/auth/permissions',
    everySignedIn,
    'Whoever is authenticated may ask what they are allowed, also without any role.',
  ),
  row(
    'GET /svc/api/csrf',
    but(anyone, headerCallers),
    'Anonymous, but callers with an Authorization header need no token and get 400.',
  ),
] as const;
