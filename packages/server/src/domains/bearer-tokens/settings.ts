import type { FetchImplementation } from 'jose';
import type { Config } from '../../platform/config/index.ts';
import { fixedKey, publishedKeys, type SignatureKeys } from './keys.ts';

const section = 'Svc:Authentication:Jwt';

/** Rules for the acceptance of access tokens. */
export type BearerSettings = {
  readonly jwksEndpoint: URL | undefined;
  readonly signingKey: string | undefined;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly clockSkewSeconds: number;
  readonly accessTokenClaim: string | undefined;
  readonly userIdClaim: string;
  readonly userNameClaim: string;
  readonly rolesClaim: string;
  readonly displayNameClaim: string;
  readonly emailClaim: string;
  readonly externalLoginEndpoint: string | undefined;
};

const loopback = ['localhost', '127.0.0.1', '[::1]'];

function secureAddress(key: string, text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !loopback.includes(url.hostname))
    throw new Error(`The setting ${key} must be an https address.`);
  return url;
}

/**
 * Reads the settings of access tokens. Undefined if they are disabled.
 *
 * @throws Error with the name of the key if the section is invalid.
 */
export function bearerSettings(config: Config): BearerSettings | undefined {
  if (!config[`${section}:EnableBearerAuthentication`]) return undefined;
  const endpoint = config[`${section}:Validation:JwksEndpoint`];
  const signingKey = config[`${section}:Validation:SigningKey`];
  if ((endpoint === undefined) === (signingKey === undefined))
    throw new Error(
      `One of the settings ${section}:Validation:JwksEndpoint and ${section}:Validation:SigningKey is required, and only one.`,
    );
  const issuers = joined(
    config[`${section}:Validation:ValidIssuer`],
    config[`${section}:Validation:ValidIssuers`],
  );
  const audiences = joined(
    config[`${section}:Validation:ValidAudience`],
    config[`${section}:Validation:ValidAudiences`],
  );
  if (issuers.length === 0)
    throw new Error(`The setting ${section}:Validation:ValidIssuers must name an issuer.`);
  if (audiences.length === 0)
    throw new Error(`The setting ${section}:Validation:ValidAudiences must name an audience.`);
  const claims = config[`${section}:ClaimsMapping`];
  const login = config[`${section}:ExternalLoginEndpoint`];
  return {
    jwksEndpoint:
      endpoint === undefined ? undefined : secureAddress(`${section}:Validation:JwksEndpoint`, endpoint),
    signingKey,
    issuers,
    audiences,
    clockSkewSeconds: config[`${section}:Validation:ClockSkewSeconds`],
    accessTokenClaim: config[`${section}:AccessTokenClaim`],
    userIdClaim: claims.get('userId') ?? 'sub',
    userNameClaim: claims.get('userName') ?? 'preferred_username',
    rolesClaim: claims.get('roles') ?? 'roles',
    displayNameClaim: claims.get('displayName') ?? 'name',
    emailClaim: claims.get('email') ?? 'email',
    externalLoginEndpoint:
      login === undefined ? undefined : secureAddress(`${section}:ExternalLoginEndpoint`, login).href,
  };
}

const joined = (one: string | undefined, more: readonly string[]): readonly string[] => [
  ...new Set([...(one === undefined ? [] : [one]), ...more]),
];

/** Returns the signature keys of the settings. */
export function signatureKeys(settings: BearerSettings, fetchKeys: FetchImplementation): SignatureKeys {
  if (settings.jwksEndpoint) return publishedKeys(settings.jwksEndpoint, fetchKeys);
  try {
    return fixedKey(settings.signingKey ?? '');
  } catch (error) {
    throw new Error(
      `The setting ${section}:Validation:SigningKey cannot be used: ${(error as Error).message}.`,
    );
  }
}
