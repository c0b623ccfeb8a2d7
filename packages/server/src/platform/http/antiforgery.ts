import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { hmac, type KeyRing, type Randomness, randomToken, verifyHmac } from '../crypto/index.ts';
import { cookiePath, guardedCookieName } from './base-path.ts';
import { badRequest, forbidden } from './refusals/refusal.ts';

const header = 'x-xsrf-token';
const cookie = 'Svc.Antiforgery';
const secretShape = /^[\w-]{43}$/;
const nonceBytes = 16;

/** Kinds of caller that an Authorization header made. */
const headerKinds: ReadonlySet<Caller['kind']> = new Set(['apiKey', 'bearer', 'mcpCaller']);

/** Proof that a state-changing request of a browser was meant by its page. */
export type Antiforgery = {
  /** Makes a token for the caller and sets its cookie. Throws 400 for callers with an Authorization header. */
  readonly issue: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => string;
  /** Gives the browser a new cookie, so that every earlier token of it is void: at sign-in and sign-out. */
  readonly rotate: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Throws 400 when a caller whose browser sent the credential brings no valid token. */
  readonly check: (request: FastifyRequest, caller: Caller) => void;
};

/**
 * A token is `<nonce>.<HMAC(cookie secret, who calls, nonce)>`: it belongs to one browser and one session, and a
 * cookie that somebody planted is worth nothing, since the key stays here.
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
 * Whether the browser may have added the credential by itself. How a host authenticates is not known here: by a
 * cookie, it may be; a bearer token, or a header of its own without any cookie, is added by a program.
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
 * Refuses a request that a page of another site made a browser send; for routes without a token (sign-in, sign-out,
 * setup). Requests that say nothing about their origin pass: they come from programs.
 *
 * @param trustedHosts  hosts beside the request's own that count as ours, e.g. of the public address.
 */
export function refuseCrossSite(request: FastifyRequest, trustedHosts: ReadonlySet<string>): void {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers['origin'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  if (origin === undefined || site === 'same-origin') return;
  const host = hostOf(origin);
  if (host === undefined || (host !== request.headers.host && !trustedHosts.has(host))) throw crossSite();
}

/** Host and port of an absolute address; undefined when it is none. */
export const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).host : undefined;

const crossSite = () => forbidden('cross-site-request', 'A page of another site sent this request.');
