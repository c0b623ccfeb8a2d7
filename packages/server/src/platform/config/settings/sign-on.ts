import { permissions } from '@svc/contract';
import { boolean, integer, list, map, type Setting, secret, text } from '../setting.ts';
import { mcpCallersSetting } from './mcp-callers.ts';

const permissionNames: ReadonlySet<string> = new Set(permissions);

/** Defines a list whose entries may also be in one text, separated by spaces. */
function words(description: string, byDefault: readonly string[]): Setting<readonly string[]> {
  const inner = list(description, { default: byDefault });
  return {
    ...inner,
    parse: (raw) =>
      typeof raw === 'string' && !raw.trim().startsWith('[')
        ? raw.split(/\s+/).filter(Boolean)
        : inner.parse(raw),
  };
}

/** Claims that every ID token may have. None of them proves that a token is an access token. */
const idTokenClaims = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'azp',
  'at_hash',
  'c_hash',
  's_hash',
  'sid',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
  'tid',
  'oid',
  'upn',
  'roles',
  'groups',
  'acct',
  'idp',
  'ver',
];

function claimName(description: string): Setting<string | undefined> {
  const inner = text(description);
  return {
    ...inner,
    parse: (raw) => {
      const name = inner.parse(raw);
      if (name !== undefined && idTokenClaims.includes(name.toLowerCase()))
        throw new Error('a claim that ID tokens do not carry');
      return name;
    },
  };
}

/** Keys of `ClaimsMapping`. Default claims apply to keys without an entry. */
const mappable = ['userId', 'userName', 'email', 'roles', 'displayName'];

const webAddress = { pattern: /^https?:\/\/[^\s]+$/, expectation: 'an http or https address' };
const oidc = 'Svc:Authentication:Oidc';
const jwt = 'Svc:Authentication:Jwt';

/** Settings of sign-in at an identity provider, and of its access tokens. */
export const signOnSettings = {
  [`${oidc}:Enabled` as const]: boolean('Single sign-on by OpenID Connect.', false),
  [`${oidc}:Authority` as const]: text('Issuer of the identity provider.', webAddress),
  [`${oidc}:ClientId` as const]: text('Client id at the identity provider.'),
  [`${oidc}:ClientSecret` as const]: secret('Client secret at the identity provider.'),
  [`${oidc}:CallbackPath` as const]: text('Path of the redirect URI.', {
    default: '/signin-oidc',
    pattern: /^\/[\w./-]*$/,
    expectation: 'a path such as /signin-oidc',
  }),
  [`${oidc}:Scopes` as const]: words('Requested scopes.', ['openid', 'profile', 'email']),
  [`${oidc}:AllowedTenants` as const]: list('Values of the `tid` claim that may sign in.'),
  [`${oidc}:AllowAnyTenant` as const]: boolean('Does not check the tenant.', false),
  [`${oidc}:BlockGuests` as const]: boolean('Refuses guest accounts.', true),
  [`${oidc}:RequiredGroups` as const]: list(
    'Object ids of groups; one of them or of RequiredRoles is needed.',
  ),
  [`${oidc}:RequiredRoles` as const]: list('App roles; one of them or of RequiredGroups is needed.'),
  [`${oidc}:DefaultRoleName` as const]: text('Role of a user who is created at the first sign-in.', {
    oneOf: ['Viewer', 'Editor'],
  }),
  [`${oidc}:RequireMfa` as const]: boolean('Refuses sign-ins without a second factor.', false),
  [`${oidc}:AcceptedAcrValues` as const]: list('Values of `acr` that count as a second factor.'),
  [`${oidc}:EnableFrontChannelLogout` as const]: boolean('Serves /signout-oidc.', false),
  [`${oidc}:DisplayName` as const]: text('Label of the button.', { default: 'SSO' }),
  'Svc:Authorization:IdpRoles': map(
    'App roles of the identity provider with the functional permissions that they grant at sign-in, as JSON.',
    (value, key): readonly string[] => {
      const names = Array.isArray(value) ? value : [value];
      const unknown = names.find((name) => typeof name !== 'string' || !permissionNames.has(name));
      if (unknown !== undefined)
        throw new Error(
          `functional permissions (${permissions.join(', ')}); ${key} names ${String(unknown)}`,
        );
      return names;
    },
  ),
  'Svc:Mcp:Callers': mcpCallersSetting,
  [`${jwt}:EnableBearerAuthentication` as const]: boolean('Access tokens of an identity provider.', false),
  [`${jwt}:Validation:JwksEndpoint` as const]: text(
    'Where the keys of signatures are published.',
    webAddress,
  ),
  [`${jwt}:Validation:SigningKey` as const]: secret(
    'Key of signatures, instead of an endpoint: a public key as PEM, or a shared secret of at least 32 characters.',
    { lengthMin: 32 },
  ),
  [`${jwt}:Validation:ValidIssuer` as const]: text('Issuer whose tokens are accepted.'),
  [`${jwt}:Validation:ValidIssuers` as const]: list('More issuers.'),
  [`${jwt}:Validation:ValidAudience` as const]: text('Audience that tokens must name.'),
  [`${jwt}:Validation:ValidAudiences` as const]: list('More audiences.'),
  [`${jwt}:Validation:ClockSkewSeconds` as const]: integer(
    'How far clocks may be apart; at most 5 minutes.',
    {
      default: 300,
      min: 0,
      max: 300,
    },
  ),
  [`${jwt}:AccessTokenClaim` as const]: claimName(
    'Claim that proves an access token, for providers that do not set `typ` to at+jwt.',
  ),
  [`${jwt}:ExternalLoginEndpoint` as const]: text(
    'Token endpoint of the host that the login form validates credentials against. They pass through this service: prefer single sign-on.',
    webAddress,
  ),
  [`${jwt}:ClaimsMapping` as const]: map(
    'Names of the claims userId, userName, email, roles, displayName, as JSON.',
    (value, key): string => {
      if (!mappable.includes(key)) throw new Error(`a JSON object with the members ${mappable.join(', ')}`);
      if (typeof value !== 'string' || value === '')
        throw new Error(`a JSON object of claim names; ${key} is none`);
      return value;
    },
  ),
} as const;
