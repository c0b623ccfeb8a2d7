import type { Audit } from './domains/audit/index.ts';
import {
  askTokenEndpoint,
  type BearerSettings,
  type BearerTokens,
  createBearerTokens,
  createTokenVerifier,
  signatureKeys,
} from './domains/bearer-tokens/index.ts';
import type { SessionsService } from './domains/sessions/index.ts';
import type { ExternalUser } from './domains/sign-in/index.ts';
import {
  createProvider,
  createSingleSignOnService,
  type ProviderSettings,
  singleSignOnRoutes,
} from './domains/single-sign-on/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import type { Randomness } from './platform/crypto/index.ts';
import type { Database } from './platform/db/index.ts';
import { type Antiforgery, HttpProblem, type Route, unavailable } from './platform/http/index.ts';
import type { Logger } from './platform/log/index.ts';
import { identityProviderPolicy, type Outbound } from './platform/outbound/index.ts';
import { createRateLimit } from './platform/rate-limit/index.ts';

const section = 'Svc:Authentication:Oidc';
const challengesPerMinute = 30;
const externalLoginTimeoutMs = 10_000;

/** Puts the acceptance of access tokens together, and with it the host's own check of passwords. */
export function composeBearerTokens(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  outbound: Outbound;
  settings: BearerSettings;
}): { tokens: BearerTokens; externalUser: ExternalUser | undefined } {
  const { log, settings } = deps;
  const policy = identityProviderPolicy();
  // The library's own names for what fetch takes and gives; undici's are the same at run time.
  const keys = signatureKeys(settings, deps.outbound.fetchUnder(policy) as never);
  const tokens = createBearerTokens({ ...deps, verify: createTokenVerifier(settings, keys) });
  if (settings.externalLoginEndpoint === undefined) return { tokens, externalUser: undefined };
  const fetchFromHost = deps.outbound.fetchUnder(policy, { totalTimeoutMs: externalLoginTimeoutMs });
  const ask = askTokenEndpoint(settings.externalLoginEndpoint, fetchFromHost);
  const externalUser: ExternalUser = async ({ username, password }, signal) => {
    try {
      const token = await ask({ username, password }, signal);
      return token === undefined ? undefined : await tokens.userOf(token);
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 401) return undefined;
      log.error(
        { failure: error instanceof Error ? error.message : 'unknown' },
        'the external login endpoint failed',
      );
      throw unavailable(
        'Sign-in with this account is not possible at the moment. Try again in a few minutes.',
      );
    }
  };
  return { tokens, externalUser };
}

/** Puts single sign-on together. */
export function composeSingleSignOn(deps: {
  config: Config;
  database: Database;
  clock: Clock;
  random: Randomness;
  log: Logger;
  audit: Audit;
  sessions: SessionsService;
  outbound: Outbound;
  antiforgery: Antiforgery;
  settings: ProviderSettings;
}): Route[] {
  const { config, database, settings } = deps;
  const fetchFromProvider = deps.outbound.fetchUnder(identityProviderPolicy());
  const service = createSingleSignOnService({
    ...deps,
    // The library's own names for what fetch takes and gives; undici's are the same at run time.
    provider: createProvider(settings, fetchFromProvider as never),
    limit: createRateLimit(database.pool, {
      name: 'sso-challenge',
      points: challengesPerMinute,
      durationSeconds: 60,
      detail: 'Too many sign-ins were begun from this address. Wait before the next one.',
    }),
    admission: {
      allowedTenants: config[`${section}:AllowedTenants`],
      allowAnyTenant: config[`${section}:AllowAnyTenant`],
      blockGuests: config[`${section}:BlockGuests`],
      requiredGroups: config[`${section}:RequiredGroups`],
      requiredRoles: config[`${section}:RequiredRoles`],
      requireMfa: config[`${section}:RequireMfa`],
      acceptedAcrValues: config[`${section}:AcceptedAcrValues`],
    },
    provisioning: {
      defaultRoleName: config[`${section}:DefaultRoleName`],
      idpRoles: config['Svc:Authorization:IdpRoles'],
    },
  });
  const publicBase = config['Svc:PublicBaseUrl'];
  return singleSignOnRoutes(service, {
    antiforgery: deps.antiforgery,
    callbackPath: config[`${section}:CallbackPath`],
    publicOrigin: publicBase === undefined ? undefined : new URL(publicBase).origin,
    hasFrontChannelLogout: config[`${section}:EnableFrontChannelLogout`],
    issuerOrigin: new URL(settings.authority).origin,
  });
}
