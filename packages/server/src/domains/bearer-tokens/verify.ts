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
 * An access token that holds: signature, issuer, audience, lifetime and kind are verified, its times are whole seconds
 * and it names somebody. Whether there is such a user is not verified, nor how long ago the token was issued.
 */
export type VerifiedToken = {
  readonly issuer: string;
  /** Value of the mapped user-id claim. */
  readonly subject: string;
  /** Values of the mapped claims of display name and email; undefined where the token does not tell them. */
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
  /** All claims; user name, email, display name and roles stand under their usual names, whatever the mapping names. */
  readonly claims: Readonly<Record<string, unknown>>;
};

/** Throws a 401 refusal, or a 503 one while no key could ever be fetched. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

const tokenLengthMax = 12_000;
const displayNameLengthMax = 200;
const emailLengthMax = 320;

const textOf = (value: unknown, lengthMax: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax ? value.trim() : undefined;

/** Why a token was refused; for the log, never for the answer. */
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

/** A claim that the mapping does not name says nothing, though it has the usual name: the provider means another by it. */
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
    // Whatever a library throws about what a stranger sent is about the token.
    throw new BadToken(error instanceof errors.JOSEError ? error.code : 'the token cannot be read');
  }
}

/**
 * A token has to prove that it is meant for access: an ID token, which a client may hand around, is none. One vendor's
 * tokens name an app and what it may do; those of others say so in `typ`, or by the configured claim.
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

/** False for a claim that is present and empty: `""`, `false`, `0`, `[]` and `{}` prove nothing. */
function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.some(saysSomething);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}
