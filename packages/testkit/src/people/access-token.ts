import { createHmac } from 'node:crypto';

/** Section of the settings for bearer tokens. */
export const bearerSection = 'Svc:Authentication:Jwt';
/** Issuers in the scenarios: a generic identity provider, and Entra ID. */
export const issuer = 'https://idp.example.com';
export const entra = 'https://login.microsoftonline.com/tenant/v2.0';
const secret = 'b3f1c9d27a6e4c0f8d5b2a7e9c1f4d6a8b0e3c5d';
/** Settings with which a service accepts the tokens of `tokenOf`. */
export const bearerSettings = {
  [`${bearerSection}:EnableBearerAuthentication`]: true,
  [`${bearerSection}:Validation:SigningKey`]: secret,
  [`${bearerSection}:Validation:ValidIssuers`]: [issuer, entra],
  [`${bearerSection}:Validation:ValidAudience`]: 'svc-api',
};

export type Claims = Readonly<Record<string, unknown>>;
const encode = (json: string) => Buffer.from(json).toString('base64url');

/** Claim value that `tokenOf` writes as `1e999`, a JSON number that parses as Infinity. */
export const endless = '1e999 without quotes';
/** Returns the time this many seconds from now, in seconds since the epoch. */
export const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** Returns a signed token of the identity provider. Undefined claims are omitted. */
export function tokenOf(claims: Claims = {}, header: Claims = { typ: 'at+jwt' }): string {
  const sound = {
    iss: issuer,
    aud: 'svc-api',
    sub: 'user-1',
    exp: secondsFromNow(600),
    iat: secondsFromNow(0),
  };
  const payload = JSON.stringify({ ...sound, ...claims }).replaceAll(`"${endless}"`, '1e999');
  const signed = `${encode(JSON.stringify({ alg: 'HS256', ...header }))}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
