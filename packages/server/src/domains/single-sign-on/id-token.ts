import {
  faultOfJson,
  faultOfSubject,
  faultOfText,
  faultOfTimes,
  faultOfTokenJson,
} from '../../platform/jwt/index.ts';
import type { Claims } from './admission.ts';

/** Longest time that the provider's clock may be ahead, in seconds. The limit for access tokens is the same. */
const issuedAheadSecondsMax = 300;
/**
 * Maximum age of an ID token, in seconds. A sign-in lasts at most ten minutes and its nonce is in the token. An older
 * token therefore means a wrong clock.
 */
const issuedAgoSecondsMax = 3_600;

/** Refusal of an ID token that the library accepts. The reason is for the log, never for the response. */
export class BadIdToken extends Error {
  override readonly name = 'BadIdToken';
}

/**
 * Checks the parts of an ID token that the library does not check. The library verifies signature, issuer, audience,
 * nonce and lifetime. It accepts any number as a time and any text as a subject, and ignores the issue time.
 *
 * @throws BadIdToken with the fault, and no part of the token.
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
 * Refuses an ID token whose JSON another parser could read differently.
 *
 * @throws BadIdToken as `assertSoundIdToken` does.
 */
export function assertStrictToken(token: string | undefined): void {
  const fault = token === undefined ? 'the token is missing' : faultOfTokenJson(token);
  if (fault !== undefined) throw new BadIdToken(fault);
}

/** Refuses user info in the same way, signed or plain JSON. */
export function assertStrictUserInfo(body: Uint8Array, isSigned: boolean): void {
  const fault = isSigned ? faultOfTokenJson(Buffer.from(body).toString('latin1').trim()) : faultOfJson(body);
  if (fault !== undefined) throw new BadIdToken(fault);
}

/**
 * Checks that other claims about a user can be stored.
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
