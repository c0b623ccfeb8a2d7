import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Section of the settings of bearer tokens. */
export const section = 'Svc:Authentication:Jwt';
export const issuer = 'https://idp.example';
export const entra = 'https://login.microsoftonline.com/tenant/v2.0';
export const audience = 'svc-api';
export type Json = Record<string, unknown>;

export const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
export const jwk = (key: KeyObject, kid: string): Json => ({
  ...key.export({ format: 'jwk' }),
  kid,
  use: 'sig',
});

export const now = () => Math.floor(Date.now() / 1_000);
export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
/** Parts of a token before it is signed. The texts replace the encoded parts. */
export type Parts = { header: Json; claims: Json; key: KeyObject; payloadText?: string; headerText?: string };

/** Returns a valid token with one change. */
export function tokenOf(change: (parts: Parts) => void = () => undefined): string {
  const issuedAt = now();
  const parts: Parts = {
    header: { alg: 'RS256', kid: 'k1', typ: 'at+jwt' },
    claims: { iss: issuer, aud: audience, sub: 'user-1', iat: issuedAt, exp: issuedAt + 300 },
    key: rsa.privateKey,
  };
  change(parts);
  const input = `${encode(parts.headerText ?? parts.header)}.${encode(parts.payloadText ?? parts.claims)}`;
  const { alg } = parts.header;
  if (alg === 'none') return `${input}.`;
  const signature = String(alg).startsWith('HS')
    ? createHmac('sha256', publicPem).update(input).digest()
    : sign('sha256', Buffer.from(input), { key: parts.key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
