import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { hmac, type KeyRing, type Randomness, randomToken, verifyHmac } from '../crypto/index.ts';
import { cookiePath, guardedCookieName } from './base-path.ts';
import { badRequest, forbidden } from './refusals/refusal.ts';

const header = 'x-xsrf-token';
const cookie = 'Svc.Antiforgery';
const secretShape = /^[\w-]{43}$/;
const nonceBytes = 16;

/** Kinds of caller that authenticate with an Authorization header. */
const headerKinds: ReadonlySet<Caller['kind']> = new Set(['apiKey', 'bearer', 'mcpCaller']);

/** Cross-site request protection: proves that a state-changing browser request came from the service's page. */
export type Antiforgery = {
  /** Creates a token for the caller and sets its cookie. Throws 400 for callers with an Authorization header. */
  readonly issue: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => string;
  /** Sets a new cookie, which invalidates every earlier token of the browser. Called at sign-in and sign-out. */
  readonly rotate: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Throws 400 if the browser may have sent the credential automatically and the request has no valid token. */
  readonly check: (request: FastifyRequest, caller: Caller) => void;
};

/**
 * Creates the protection. A token is `<nonce>.<HMAC(cookie secret, caller identity, nonce)>`: it is valid for one
 * browser and one session. A planted cookie is useless, because the HMAC key never leaves the server.
 */
export function createAntiforgery(options: { keys: KeyRing; random: Randomness }): Antiforgery {
  const { keys, random } = options;

  const setCookie = (request: FastifyRequest, reply: FastifyReply): string => {
    const secret = randomToken(random);
    reply.setCookie(guardedCookieName(request, cookie), secret, {
      path: cookiePath(request),
      httpOnly: true,
      sameSite: 'lax',
      secure: request.svc.origin.isSecure,
    });
    return secret;
  };
  const readCookie = (request: FastifyRequest): string | undefined => {
    const value = request.cookies[guardedCookieName(request, cookie)];
    return value !== undefined && secretShape.test(value) ? value : undefined;
  };

  return {
    issue: (request, reply, caller) => {
      if (headerKinds.has(caller.kind)) {
        throw badRequest(
          'antiforgery-not-needed',
          'Callers with an Authorization header need no antiforgery token.',
        );
      }
      const secret = readCookie(request) ?? setCookie(request, reply);
      const nonce = randomToken(random, nonceBytes);
      return `${nonce}.${hmac(keys, 'antiforgery', [secret, identityOf(caller), nonce])}`;
    },
    rotate: (request, reply) => {
      setCookie(request, reply);
    },
    check: (request, caller) => {
      if (!isAmbient(request, caller)) return;
      const sent = request.headers[header];
      const secret = readCookie(request);
      if (typeof sent !== 'string' || secret === undefined) throw missing();
      const dot = sent.indexOf('.');
      const nonce = sent.slice(0, Math.max(dot, 0));
      const verdict = verifyHmac(
        keys,
        'antiforgery',
        [secret, identityOf(caller), nonce],
        sent.slice(dot + 1),
      );
      if (verdict !== 'Current' && verdict !== 'Previous') throw missing();
    },
  };
}

const identityOf = (caller: Caller): string => {
  if (caller.kind === 'session') return `session:${caller.sessionId}`;
  if (caller.kind === 'host') return `host:${caller.hostUserId}`;
  return 'anonymous';
};

/**
 * Returns true if the browser may have added the credential automatically. The host's authentication method is
 * unknown: a request with a cookie may use it. A bearer token, or a custom header without any cookie, comes from a
 * program.
 */
function isAmbient(request: FastifyRequest, caller: Caller): boolean {
  if (caller.kind === 'session') return true;
  if (caller.kind !== 'host') return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return request.headers.cookie !== undefined && !/^bearer /i.test(request.headers.authorization ?? '');
}

const missing = () =>
  badRequest(
    'antiforgery-required',
    'Send the token of GET /svc/api/csrf as X-XSRF-TOKEN, with the cookie that came along with it.',
  );

/**
 * Refuses a request that another site's page made a browser send. For routes without a token: sign-in, sign-out,
 * setup. Requests without origin headers pass, because programs send them.
 *
 * @param trustedHosts Additional trusted hosts, for example of the public address.
 */
export function refuseCrossSite(request: FastifyRequest, trustedHosts: ReadonlySet<string>): void {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers['origin'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  if (origin === undefined || site === 'same-origin') return;
  const host = hostOf(origin);
  if (host === undefined || (host !== request.headers.host && !trustedHosts.has(host))) throw crossSite();
}

/** Returns host and port of an absolute address; undefined for other text. */
export const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).host : undefined;

const crossSite = () => forbidden('cross-site-request', 'A page of another site sent this request.');
