import {
  faultOfJson,
  faultOfSubject,
  faultOfText,
  faultOfTimes,
  faultOfTokenJson,
} from '../../platform/jwt/index.ts';
import type { Claims } from './admission.ts';

/** How far the provider's clock may be ahead of ours: as much as access tokens may be granted. */
const issuedAheadSecondsMax = 300;
/** A sign-in lives for ten minutes, and its nonce is in the token: an older one means a clock that is wrong. */
const issuedAgoSecondsMax = 3_600;

/** Why an ID token was refused that the library accepts; for the log, never for the answer. */
export class BadIdToken extends Error {
  override readonly name = 'BadIdToken';
}

/**
 * Asks of an ID token what the library leaves open: it verifies signature, issuer, audience, nonce and lifetime, but
 * takes any number for a time, any text for a subject, and does not look at when the token was issued.
 *
 * @throws BadIdToken with what is wrong, and nothing of the token.
 */
export function assertSoundIdToken(claims: Claims, nowSeconds: number): void {
  const fault =
    faultOfTimes(claims) ??
    faultOfSubject(claims['sub']) ??
    faultOfText(claims) ??
    faultOfIssueTime(claims, nowSeconds);
  if (fault !== undefined) throw new BadIdToken(fault);
}

/**
 * Refuses an ID token whose JSON another reader could read otherwise.
 *
 * @throws BadIdToken as `assertSoundIdToken` does.
 */
export function assertStrictToken(token: string | undefined): void {
  const fault = token === undefined ? 'the token is missing' : faultOfTokenJson(token);
  if (fault !== undefined) throw new BadIdToken(fault);
}

/** The same for user info: signed, or plain JSON. */
export function assertStrictUserInfo(body: Uint8Array, isSigned: boolean): void {
  const fault = isSigned ? faultOfTokenJson(Buffer.from(body).toString('latin1').trim()) : faultOfJson(body);
  if (fault !== undefined) throw new BadIdToken(fault);
}

/**
 * Asks of what else a provider says of somebody that it can be stored.
 *
 * @throws BadIdToken as `assertSoundIdToken` does.
 */
export function assertSoundText(claims: Claims): void {
  const fault = faultOfText(claims);
  if (fault !== undefined) throw new BadIdToken(fault);
}

function faultOfIssueTime({ iat }: Claims, nowSeconds: number): string | undefined {
  if (typeof iat !== 'number') return 'the claim "iat" is missing';
  if (iat > nowSeconds + issuedAheadSecondsMax) return 'the claim "iat" is ahead of the clock';
  return iat < nowSeconds - issuedAgoSecondsMax ? 'the claim "iat" is too far in the past' : undefined;
}
