import { type Static, Type } from 'typebox';
import { access, permissions } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { rateLimits } from '../../rate-limits.ts';
import { Id, nullable, Time, wordOf } from '../../shapes.ts';
import { ownLook } from './user-settings.ts';

const tag = 'sign-in';

export const LoginRequest = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  password: Type.String({ minLength: 1, maxLength: 1_024 }),
  rememberMe: Type.Optional(Type.Boolean()),
});
export type LoginRequest = Static<typeof LoginRequest>;

/** Reasons why a sign-in at the identity provider ended on the error page, which receives `reason=sso-…`. */
export const singleSignOnRefusals = [
  'tenant',
  'guest',
  'group-or-role',
  'mfa',
  'disabled',
  'expired',
  'provider',
] as const;
export type SingleSignOnRefusal = (typeof singleSignOnRefusals)[number];

/** Sign-in page of a host that owns sign-in. */
const ExternalLogin = Type.Object({ loginUrl: Type.String() });

/** The signed-in user, if any. */
export const CurrentUser = Type.Object(
  {
    isAuthenticated: Type.Boolean(),
    userId: nullable(Id),
    userName: nullable(Type.String()),
    displayName: nullable(Type.String()),
    email: nullable(Type.String()),
    roles: Type.Array(Type.String()),
    mustChangePassword: Type.Boolean(),
    sessionExpiresAt: nullable(Time),
    realtimeEnabled: Type.Boolean(),
    ...ownLook,
    externalLogin: nullable(ExternalLogin),
  },
  { $id: 'CurrentUser' },
);
export type CurrentUser = Static<typeof CurrentUser>;

export const login = defineEndpoint({
  operationId: 'login',
  tag,
  summary: 'Signs in with a password and sets the session cookie',
  method: 'POST',
  path: '/svc/api/auth/login',
  body: LoginRequest,
  responses: { 200: CurrentUser },
  access: access.anonymous(),
  rateLimit: rateLimits.signIn,
  refusals: {
    401: 'User name and password do not match. The text is the same for every cause.',
    403: 'Another site sent the request.',
    429: 'Too many attempts from this address.',
    503: 'Too many sign-ins are being checked at the same time.',
  },
});

export const logout = defineEndpoint({
  operationId: 'logout',
  tag,
  summary: 'Signs out; with `everywhere=true` in every browser',
  method: 'POST',
  path: '/svc/api/auth/logout',
  query: Type.Object({ everywhere: Type.Optional(Type.Boolean()) }),
  responses: { 204: null },
  sends: ['Set-Cookie', 'Clear-Site-Data'],
  access: access.anonymous(),
  refusals: { 403: 'Another site sent the request.' },
});

export const getCurrentUser = defineEndpoint({
  operationId: 'getCurrentUser',
  tag,
  summary: 'The current session, if one exists',
  method: 'GET',
  path: '/svc/api/auth/me',
  responses: { 200: CurrentUser },
  access: access.anonymous(),
});

/** Ways to sign in that the sign-in page offers. */
export const SignInOptions = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Single sign-on is offered.' }),
    displayName: nullable(Type.String({ description: 'Label of the button for single sign-on.' })),
    localLoginEnabled: Type.Boolean({ description: 'The password form is shown.' }),
    breakGlassEnabled: Type.Boolean({
      description:
        'Passwords work only for break-glass accounts. The sign-in page does not show the form by default.',
    }),
    externalLogin: nullable(ExternalLogin),
  },
  { $id: 'SignInOptions' },
);
export type SignInOptions = Static<typeof SignInOptions>;

export const getSignInOptions = defineEndpoint({
  operationId: 'getSignInOptions',
  tag,
  summary: 'Whether single sign-on is offered, and its label',
  method: 'GET',
  path: '/svc/api/auth/sso',
  responses: { 200: SignInOptions },
  access: access.anonymous(),
});

export const Permissions = Type.Object(
  {
    canRead: Type.Boolean(),
    canWrite: Type.Boolean(),
    isAdmin: Type.Boolean(),
    permissions: Type.Array(wordOf(permissions), { description: 'Sorted. An Admin has all permissions.' }),
    migrationsEnabled: Type.Boolean(),
  },
  { $id: 'Permissions' },
);
export type Permissions = Static<typeof Permissions>;

export const getPermissions = defineEndpoint({
  operationId: 'getPermissions',
  tag,
  summary: 'Permissions of the caller',
  method: 'GET',
  path: '/svc/api/auth/permissions',
  responses: { 200: Permissions },
  access: access.identified(),
});

export const getAntiforgeryToken = defineEndpoint({
  operationId: 'getAntiforgeryToken',
  tag,
  summary: 'Returns a token and sets its cookie; a browser sends the token as X-XSRF-TOKEN',
  method: 'GET',
  path: '/svc/api/csrf',
  responses: { 200: Type.Object({ token: Type.String() }) },
  access: access.anonymous(),
  refusals: { 400: 'Callers with an Authorization header need no token.' },
});

const redirects = (description: string) => ({ contentType: 'text/html', description }) as const;

export const startSingleSignOn = defineEndpoint({
  operationId: 'startSingleSignOn',
  tag,
  summary: 'Redirects the browser to the identity provider; available only while single sign-on is enabled',
  method: 'GET',
  path: '/svc/api/auth/sso/challenge',
  query: Type.Object({
    returnUrl: Type.Optional(
      Type.String({
        description: 'Path under /svc to open after the sign-in. Any other value opens the home page.',
      }),
    ),
  }),
  responses: { 302: redirects('Redirect to the identity provider.') },
  sends: ['Location', 'Set-Cookie'],
  access: access.anonymous(),
  rateLimit: rateLimits.singleSignOn,
  refusals: { 429: 'Too many sign-ins were started from this address.' },
});

/** A setting defines its path. */
export const signOnCallback = defineEndpoint({
  operationId: 'signOnCallback',
  tag,
  summary: 'Target of the redirect from the identity provider',
  method: 'GET',
  path: '/signin-oidc',
  responses: {
    302: redirects('Redirect to the page for the user after the sign-in, or to /svc/error?reason=… .'),
  },
  sends: ['Location', 'Set-Cookie'],
  access: access.anonymous(),
});

export const frontChannelLogout = defineEndpoint({
  operationId: 'frontChannelLogout',
  tag,
  summary: 'Front-channel sign-out of the identity provider',
  method: 'GET',
  path: '/signout-oidc',
  query: Type.Object({
    sid: Type.Optional(Type.String({ maxLength: 1_000 })),
    iss: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  responses: { 200: redirects('An empty page, with or without a session.') },
  access: access.anonymous(),
});
