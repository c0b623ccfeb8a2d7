import { createHmac } from 'node:crypto';

/** The section of the settings of bearer tokens. */
export const bearerSection = 'Svc:Authentication:Jwt';
/** The identity provider of the scenarios, and one of the Entra kind. */
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

/** Claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;
const encode = (json: string) => Buffer.from(json).toString('base64url');

/** Value of a claim that is written `1e999`: a number in JSON, which is read as Infinity. */
export const endless = '1e999 without quotes';
/** Seconds since the epoch, so many from now. */
export const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** A token of the identity provider; a claim that is undefined is left out. */
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
