import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.4. */
export const oidc = [
  { id: 'ID-5.4-01', section: '5.4', text: 'OIDC sign-in uses the authorization-code flow with PKCE.' },
  {
    id: 'ID-5.4-02',
    section: '5.4',
    text: 'The tokens of an OIDC sign-in are not kept in the session cookie.',
  },
  {
    id: 'ID-5.4-03',
    section: '5.4',
    text: '`Svc:Authentication:Oidc:Enabled` is false by default and switches OIDC sign-in as a whole.',
  },
  {
    id: 'ID-5.4-04',
    section: '5.4',
    text: 'When OIDC is enabled, the start of the service validates its settings section.',
  },
  {
    id: 'ID-5.4-05',
    section: '5.4',
    text: 'With OIDC enabled, `Authority`, `ClientId` and `ClientSecret` are required.',
  },
  {
    id: 'ID-5.4-06',
    section: '5.4',
    text: 'The OIDC redirect URI has the path given by `CallbackPath`, by default `/signin-oidc`.',
  },
  {
    id: 'ID-5.4-07',
    section: '5.4',
    text: 'The OIDC setting `Scopes` replaces the requested list, which is `openid profile email` by default.',
  },
  {
    id: 'ID-5.4-08',
    section: '5.4',
    text: 'Only tokens whose `tid` claim is among the OIDC setting `AllowedTenants` may sign in.',
  },
  {
    id: 'ID-5.4-09',
    section: '5.4',
    text: 'OIDC cannot be enabled without `AllowedTenants` unless `AllowAnyTenant` is on.',
  },
  {
    id: 'ID-5.4-10',
    section: '5.4',
    text: 'With `AllowAnyTenant` on, which it is not by default, the tenant is not checked.',
  },
  {
    id: 'ID-5.4-11',
    section: '5.4',
    text: '`AllowAnyTenant` together with an authority of the Entra kind prints a warning at start.',
  },
  {
    id: 'ID-5.4-12',
    section: '5.4',
    text: 'While `BlockGuests` is on, which is its default, an account whose `acct` claim is 1 or whose `idp` claim names another provider is refused.',
  },
  {
    id: 'ID-5.4-13',
    section: '5.4',
    text: 'When `RequiredGroups` or `RequiredRoles` is set, an SSO user needs at least one of the listed group object ids or app roles.',
  },
  {
    id: 'ID-5.4-14',
    section: '5.4',
    text: 'A user who is created at the first SSO sign-in gets the role named by `DefaultRoleName`.',
  },
  {
    id: 'ID-5.4-15',
    section: '5.4',
    text: 'Without `DefaultRoleName` a user created by SSO has no role until somebody grants one.',
  },
  {
    id: 'ID-5.4-16',
    section: '5.4',
    text: '`DefaultRoleName` can be neither `Admin` nor a functional role.',
  },
  {
    id: 'ID-5.4-17',
    section: '5.4',
    text: 'With `RequireMfa` on, which it is not by default, an SSO sign-in is refused when the ID token has no `amr` that contains `mfa` and no `acr` among `AcceptedAcrValues`.',
  },
  {
    id: 'ID-5.4-18',
    section: '5.4',
    text: '`AcceptedAcrValues` lists the `acr` values that count as multi-factor sign-in, and is empty by default.',
  },
  {
    id: 'ID-5.4-19',
    section: '5.4',
    text: 'With `EnableFrontChannelLogout` on, which it is not by default, the service serves `/signout-oidc`.',
  },
  {
    id: 'ID-5.4-20',
    section: '5.4',
    text: 'The SSO button carries the label `DisplayName`, which is `SSO` by default.',
  },
  {
    id: 'ID-5.4-21',
    section: '5.4',
    text: 'SSO admission checks the tenant first, then the guest block, then required groups or roles, and all of this before any user is looked up.',
  },
  {
    id: 'ID-5.4-22',
    section: '5.4',
    text: 'The multi-factor rule applies to interactive SSO sign-in only, and not to bearer tokens, API keys, MCP callers or break-glass passwords.',
  },
  {
    id: 'ID-5.4-23',
    section: '5.4',
    text: 'App roles of the identity provider can grant functional permissions at sign-in through `Svc:Authorization:IdpRoles`.',
  },
] as const satisfies readonly RequirementEntry[];
