import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.5. */
export const bearerJwt = [
  {
    id: 'ID-5.5-01',
    section: '5.5',
    text: 'Bearer access tokens work on the REST API and on the MCP endpoint.',
  },
  {
    id: 'ID-5.5-02',
    section: '5.5',
    text: 'Bearer authentication is off until `EnableBearerAuthentication` is set.',
  },
  { id: 'ID-5.5-03', section: '5.5', text: 'Bearer tokens are looked at after API keys.' },
  {
    id: 'ID-5.5-04',
    section: '5.5',
    text: 'Bearer authentication needs either `Validation.JwksEndpoint` or `Validation.SigningKey` as the source of signature validation.',
  },
  {
    id: 'ID-5.5-05',
    section: '5.5',
    text: 'Bearer authentication needs at least one valid issuer and at least one valid audience.',
  },
  {
    id: 'ID-5.5-06',
    section: '5.5',
    text: 'Validation of issuer, audience and lifetime of bearer tokens cannot be switched off.',
  },
  {
    id: 'ID-5.5-07',
    section: '5.5',
    text: 'The clock skew allowed for bearer tokens is 5 minutes by default, and a greater value is refused.',
  },
  {
    id: 'ID-5.5-08',
    section: '5.5',
    text: 'For providers that are not of the Entra kind, `AccessTokenClaim` names a claim that proves an access token.',
  },
  {
    id: 'ID-5.5-09',
    section: '5.5',
    text: 'Claims that ID tokens carry too, such as `sub` or `nonce`, are refused as `AccessTokenClaim`.',
  },
  {
    id: 'ID-5.5-10',
    section: '5.5',
    text: '`ClaimsMapping` names the claims for user id, user name, email, roles and display name, by default `sub`, `preferred_username`, `email`, `roles` and `name`.',
  },
  {
    id: 'ID-5.5-11',
    section: '5.5',
    text: 'With `ExternalLoginEndpoint` set, the login form validates credentials against a token endpoint of the host.',
  },
  {
    id: 'ID-5.5-12',
    section: '5.5',
    text: 'A bearer token that does not prove to be an access token is refused.',
  },
  {
    id: 'ID-5.5-13',
    section: '5.5',
    text: 'A token of the Entra kind proves to be an access token by `azp` or `appid` together with `scp` or `roles`.',
  },
  {
    id: 'ID-5.5-14',
    section: '5.5',
    text: 'A token of another provider proves to be an access token by the header `typ` `at+jwt`, or by `AccessTokenClaim`.',
  },
  {
    id: 'ID-5.5-15',
    section: '5.5',
    text: 'A bearer token on the REST API must belong to an existing, enabled user.',
  },
  { id: 'ID-5.5-16', section: '5.5', text: 'Bearer tokens on the REST API need user management to be on.' },
  {
    id: 'ID-5.5-17',
    section: '5.5',
    text: 'On `/svc/mcp` a bearer token is judged by the mapping `Svc:Mcp:Callers`.',
  },
] as const satisfies readonly RequirementEntry[];
