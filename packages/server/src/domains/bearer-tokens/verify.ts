import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { HttpProblem } from '../../platform/http/index.ts';
import { faultOfName, faultOfText, faultOfTimes, faultOfTokenJson } from '../../platform/jwt/index.ts';
import { isEntraKind } from '../single-sign-on/index.ts';
import type { SignatureKeys } from './keys.ts';
import type { BearerSettings } from './settings.ts';

/**
 * A valid access token: signature, issuer, audience, lifetime and kind are verified, its times are whole seconds, and it
 * has a subject. Not verified: the existence of the user, and the age of the token.
 */
export type VerifiedToken = {
  readonly issuer: string;
  /** Value of the mapped user-id claim. */
  readonly subject: string;
  /** Values of the mapped claims of display name and email. Undefined if the token has none. */
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
  /** All claims. User name, email, display name and roles have their usual names, regardless of the mapping. */
  readonly claims: Readonly<Record<string, unknown>>;
};

/** Verifies a token. Throws a 401 refusal, or a 503 refusal until a key has been fetched once. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

const tokenLengthMax = 12_000;
const displayNameLengthMax = 200;
const emailLengthMax = 320;

const textOf = (value: unknown, lengthMax: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax ? value.trim() : undefined;

/** Reason why a token was refused. For the log, never for the response. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

export function createTokenVerifier(settings: BearerSettings, keys: SignatureKeys): VerifyToken {
  return async (token) => {
    if (token.length > tokenLengthMax) throw new BadToken('the token is too long');
    const { header, payload } = await verifySignature(token, settings, keys);
    if (!isAccessToken(header, payload, settings)) throw new BadToken('nothing proves an access token');
    const subject = payload[settings.userIdClaim];
    if (payload['idtyp'] === 'app' && payload['scp'] !== undefined)
      throw new BadToken('the token says to be of an app and of a person');
    if (typeof subject !== 'string') throw new BadToken('the token names no user');
    const fault = faultOfTimes(payload) ?? faultOfName(subject) ?? faultOfText(payload);
    if (fault !== undefined) throw new BadToken(fault);
    return {
      issuer: payload.iss ?? '',
      subject,
      displayName: textOf(payload[settings.displayNameClaim], displayNameLengthMax),
      email: textOf(payload[settings.emailClaim], emailLengthMax),
      claims: withUsualNames(payload, settings),
    };
  };
}

/**
 * Returns the claims under their usual names. An unmapped claim with a usual name is dropped: the provider gives it
 * another meaning.
 */
const withUsualNames = (payload: JWTPayload, settings: BearerSettings): VerifiedToken['claims'] => ({
  ...payload,
  preferred_username: payload[settings.userNameClaim],
  email: payload[settings.emailClaim],
  name: payload[settings.displayNameClaim],
  roles: payload[settings.rolesClaim],
});

async function verifySignature(
  token: string,
  settings: BearerSettings,
  keys: SignatureKeys,
): Promise<{ header: ProtectedHeaderParameters; payload: JWTPayload }> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: [...keys.algorithms],
      issuer: [...settings.issuers],
      audience: [...settings.audiences],
      clockTolerance: settings.clockSkewSeconds,
      requiredClaims: ['iss', 'aud', 'exp'],
    });
    const fault = faultOfTokenJson(token);
    if (fault !== undefined) throw new BadToken(fault);
    return { header: decodeProtectedHeader(token), payload };
  } catch (error) {
    if (error instanceof HttpProblem || error instanceof BadToken) throw error;
    // Any other error of the library is caused by the token.
    throw new BadToken(error instanceof errors.JOSEError ? error.code : 'the token cannot be read');
  }
}

/**
 * Returns true if a token proves that it is an access token. ID tokens, which a client may pass on, are rejected. Tokens
 * of one vendor name an app and its permissions; others use `typ` or the configured claim.
 */
function isAccessToken(
  header: ProtectedHeaderParameters,
  payload: JWTPayload,
  { accessTokenClaim }: BearerSettings,
): boolean {
  const has = (claim: string): boolean => saysSomething(payload[claim]);
  if (isEntraKind(payload.iss ?? '')) return (has('azp') || has('appid')) && (has('scp') || has('roles'));
  const type = String(header.typ ?? '').toLowerCase();
  if (type === 'at+jwt' || type === 'application/at+jwt') return true;
  return accessTokenClaim !== undefined && has(accessTokenClaim);
}

/** Returns false for an empty claim: `""`, `false`, `0`, `[]` and `{}` prove nothing. */
function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.some(saysSomething);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}
