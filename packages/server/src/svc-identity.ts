import type { EmailAdapter } from '@svc/channels';
import type { Endpoint } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import {
  apiKeyRoutes,
  createApiKeysService,
  createExpiryNotices,
  createKeyAuthenticator,
  createKeyInspection,
  createLastUsed,
  type KeyRules,
  type ReachableProjects,
  type ReadableWithoutBypass,
} from './domains/api-keys/index.ts';
import { auditRoutes, createAudit, createAuditLog, createDenials } from './domains/audit/index.ts';
import { type BearerSettings, bearerSettings } from './domains/bearer-tokens/index.ts';
import {
  createHostAuthenticator,
  type MembershipSource,
  type PrincipalOf,
} from './domains/host-sign-in/index.ts';
import { createMcpCallers } from './domains/mcp-callers/index.ts';
import { createPasswordHashing } from './domains/passwords/index.ts';
import {
  createSessionAdministration,
  createSessionsService,
  readSessionCookie,
  userSessionRoutes,
} from './domains/sessions/index.ts';
import { createSetupService, type OnFirstAdministrator, setupRoutes } from './domains/setup/index.ts';
import {
  type Authenticator,
  authenticateBy,
  createSignInService,
  createSignInThrottle,
  signInRoutes,
} from './domains/sign-in/index.ts';
import {
  deleteExpiredTransactions,
  type ProviderSettings,
  providerSettings,
} from './domains/single-sign-on/index.ts';
import { createUserSettingsService, userSettingsRoutes } from './domains/user-settings/index.ts';
import { createUsersService, userRoutes } from './domains/users/index.ts';
import type { Caller } from './platform/access/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import type { KeyRing, Randomness } from './platform/crypto/index.ts';
import type { Database } from './platform/db/index.ts';
import { createAntiforgery, type HttpProblem, hostOf, type Route } from './platform/http/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Outbound } from './platform/outbound/index.ts';
import { createRateLimit, sweepRateLimits } from './platform/rate-limit/index.ts';
import { noteWeakSettings } from './svc-identity-notes.ts';
import { composeBearerTokens, composeSingleSignOn } from './svc-sign-on.ts';

const setupAttemptsPerMinute = 10;
const passwordChangesPerMinute = 10;
const sweepIntervalMs = 3_600_000;
/** A flood of addresses leaves a counter each: they go soon after they expire. */
const counterSweepIntervalMs = 120_000;

/** Puts together everything that says who calls: setup, sign-in, sessions, keys, users. */
export function composeIdentity(deps: {
  config: Config;
  database: Database;
  clock: Clock;
  random: Randomness;
  log: Logger;
  keys: KeyRing;
  onSetupToken: (token: string) => void;
  onFirstAdministrator: readonly OnFirstAdministrator[];
  readableWithoutBypass: ReadableWithoutBypass;
  reachableProjects: ReachableProjects;
  /** Every route of the service; complete once it is put together. */
  endpoints: readonly Endpoint[];
  outbound: Outbound;
  email: EmailAdapter | undefined;
  /** The host's own authentication; it comes first. */
  principal: PrincipalOf | undefined;
  /** Where the projects of the host's principals come from. */
  memberships: MembershipSource | undefined;
  settings: IdentitySettings;
}) {
  const { config, database, clock, random, log } = deps;
  const { provider, bearer } = deps.settings;
  const access = bearer && composeBearerTokens({ ...deps, settings: bearer });
  const hasUsers = config['Svc:UserManagement:Enabled'];
  const audit = createAudit(clock);
  const antiforgery = createAntiforgery({ keys: deps.keys, random });
  const trustedHosts = trustedHostsOf(config);
  const hashing = createPasswordHashing({
    iterations: config['Svc:UserManagement:PasswordIterations'],
    random,
  });
  const policy = {
    lengthMin: config['Svc:UserManagement:Password:MinimumPasswordLength'],
    requireComplexity: config['Svc:UserManagement:Password:RequirePasswordComplexity'],
  };
  const sessions = createSessionsService({
    database,
    clock,
    random,
    log,
    settings: {
      revalidateMinutes: config['Svc:Authentication:Session:RevalidateMinutes'],
      absoluteLifetimeHours: config['Svc:Authentication:Session:AbsoluteLifetimeHours'],
    },
  });
  const localLoginEnabled = hasUsers && config['Svc:UserManagement:LocalLogin:Enabled'];
  const breakGlassUserNames = hasUsers ? config['Svc:UserManagement:LocalLogin:BreakGlassUserNames'] : [];
  const signIn = createSignInService({
    database,
    clock,
    log,
    audit,
    sessions,
    hashing,
    throttle: createSignInThrottle(database.pool),
    externalUser: access?.externalUser,
    settings: {
      localLoginEnabled,
      breakGlassUserNames,
      migrationsEnabled: config['Svc:Migrations:Enabled'],
      ssoDisplayName: provider && config['Svc:Authentication:Oidc:DisplayName'],
      realtimeEnabled: config['Svc:Realtime:Enabled'],
      externalLoginUrl: config['Svc:Authentication:ExternalLogin:LoginUrl'],
    },
  });
  const setup = createSetupService({
    database,
    random,
    audit,
    hashing,
    policy,
    limit: createRateLimit(database.pool, {
      name: 'setup',
      points: setupAttemptsPerMinute,
      durationSeconds: 60,
      detail: 'Too many attempts to set up from this address. Wait before the next one.',
    }),
    configuredToken: config['Svc:UserManagement:SetupToken'],
    onSetupToken: deps.onSetupToken,
    onFirstAdministrator: deps.onFirstAdministrator,
  });
  const rules: KeyRules = {
    maxLifetimeDays: config['Svc:ApiKeys:MaxLifetimeDays'],
    enforceMaxLifetimeOnExistingKeys: config['Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys'],
    maxOwnerInactivityDays: config['Svc:ApiKeys:MaxOwnerInactivityDays'],
  };
  const lastUsed = createLastUsed(database, log);
  const apiKeys = createApiKeysService({
    database,
    clock,
    random,
    audit,
    lastUsed,
    rules,
    readableWithoutBypass: deps.readableWithoutBypass,
  });

  const baseUrl = config['Svc:BaseUrl'];
  const expiryNotices = createExpiryNotices({
    ...deps,
    audit,
    rules,
    pageUrl: baseUrl === undefined ? undefined : `${baseUrl.replace(/\/$/, '')}/api-keys`,
  });
  const keyInspection = createKeyInspection({ ...deps, lastUsed, rules });
  const users = createUsersService({
    database,
    clock,
    audit,
    hashing,
    policy,
    knownIssuers: [...new Set([...(provider ? [provider.authority] : []), ...(bearer?.issuers ?? [])])],
    revokeKeys: apiKeys.revokeAllOf,
    endSessions: sessions.endAllOf,
  });
  const userSettings = createUserSettingsService({
    database,
    audit,
    sessions,
    hashing,
    policy,
    limit: createRateLimit(database.pool, {
      name: 'change-password',
      points: passwordChangesPerMinute,
      durationSeconds: 60,
      detail: 'Too many attempts to change the password. Wait before the next one.',
    }),
  });

  const bySession: Authenticator = async (request) => {
    const token = readSessionCookie(request);
    return token === undefined ? undefined : sessions.authenticate(token);
  };
  const isSetupOpen = (): Promise<boolean> | boolean => hasUsers && setup.isOpen();
  const mcpCallers =
    access &&
    createMcpCallers({
      database,
      log,
      mapping: config['Svc:Mcp:Callers'],
      tokens: access.tokens,
      isSetupOpen,
    });

  const { principal } = deps;
  const byHost =
    principal &&
    createHostAuthenticator(principal, {
      honoursRoleClaims: config['Svc:Authorization:Roles:HonourHostRoleClaims'],
      membershipsFrom: deps.memberships,
      log,
    });
  const denials = createDenials(database, log);
  const byKey = createKeyAuthenticator({ database, clock, log, lastUsed, rules });
  const authenticate = authenticateBy([
    ...(byHost ? [byHost] : []),
    byKey,
    ...(access ? [access.tokens.authenticate] : []),
    ...(hasUsers ? [bySession] : []),
  ]);

  const routes: Route[] = [
    ...(hasUsers ? setupRoutes(setup, trustedHosts) : []),
    ...signInRoutes(signIn, {
      antiforgery,
      trustedHosts,
      hasPasswordRoute: localLoginEnabled || breakGlassUserNames.length > 0,
    }),
    ...(provider ? composeSingleSignOn({ ...deps, audit, sessions, antiforgery, settings: provider }) : []),
    ...apiKeyRoutes(apiKeys, keyInspection),
    ...(hasUsers
      ? [
          ...userRoutes(users),
          ...userSessionRoutes(createSessionAdministration({ database, audit, sessions })),
        ]
      : []),
    ...userSettingsRoutes(userSettings, antiforgery),
    ...auditRoutes(createAuditLog({ database, clock, audit })),
  ];

  let sweep: NodeJS.Timeout | undefined;
  let counterSweep: NodeJS.Timeout | undefined;
  return {
    routes,
    audit,
    trustedHosts,
    sessions,
    apiKeys,
    setup,
    /** Callers of the MCP endpoint by access token; undefined while tokens are off. */
    mcpCallers,
    /** The caller of a request with an API key, and of no other. */
    byKey,
    authenticate,
    checkAntiforgery: (request: FastifyRequest, caller: Caller): void => antiforgery.check(request, caller),
    onDenied: (request: FastifyRequest, refusal: HttpProblem): void => {
      const { caller, origin, traceId } = request.svc;
      if (caller.kind === 'anonymous') return;
      denials.note({
        by: { caller, clientAddress: origin.address, traceId },
        method: request.method,
        route: request.routeOptions.url ?? '',
        status: refusal.status,
        code: refusal.code,
      });
    },
    isSetupOpen,
    start: async (): Promise<void> => {
      noteWeakSettings(config, log);
      if (hasUsers) await setup.announceToken();
      sweep = setInterval(() => {
        Promise.all([
          sessions.sweep(),
          deleteExpiredTransactions(database),
          keyInspection.sweep(),
          expiryNotices.give(),
        ]).catch((error: unknown) => log.warn({ err: error }, 'what has expired could not be removed'));
      }, sweepIntervalMs).unref();
      counterSweep = setInterval(() => {
        sweepRateLimits(database.pool).catch((error: unknown) =>
          log.warn({ err: error }, 'expired counters could not be removed'),
        );
      }, counterSweepIntervalMs).unref();
    },
    close: async (): Promise<void> => {
      clearInterval(sweep);
      clearInterval(counterSweep);
      await Promise.all([lastUsed.close(), denials.close()]);
    },
  };
}

/** What the settings of identity come to. */
export type IdentitySettings = {
  readonly provider: ProviderSettings | undefined;
  readonly bearer: BearerSettings | undefined;
};

/**
 * Checks the settings before anything is opened.
 *
 * @throws Error that names the key of a setting that cannot hold.
 */
export function checkIdentitySettings(config: Config, log: Logger): IdentitySettings {
  refuseLockedDoors(config);
  const bearer = bearerSettings(config);
  if (bearer && !config['Svc:UserManagement:Enabled'])
    throw new Error(
      'The setting Svc:Authentication:Jwt:EnableBearerAuthentication needs Svc:UserManagement:Enabled: tokens belong to stored users.',
    );
  return { provider: providerSettings(config, log), bearer };
}

/** Stops the start when nobody could ever sign in. */
function refuseLockedDoors(config: Config): void {
  const isReachable =
    !config['Svc:UserManagement:Enabled'] ||
    config['Svc:UserManagement:LocalLogin:Enabled'] ||
    config['Svc:UserManagement:LocalLogin:BreakGlassUserNames'].length > 0 ||
    config['Svc:Authentication:Oidc:Enabled'] ||
    config['Svc:Authentication:ExternalLogin:LoginUrl'] !== undefined;
  if (!isReachable)
    throw new Error(
      'The setting Svc:UserManagement:LocalLogin:Enabled must not be false while nobody could sign in otherwise: ' +
        'configure single sign-on, an external login, or Svc:UserManagement:LocalLogin:BreakGlassUserNames.',
    );
}

function trustedHostsOf(config: Config): ReadonlySet<string> {
  const addresses = [config['Svc:PublicBaseUrl'], config['Svc:BaseUrl']];
  return new Set(addresses.flatMap((address) => (address === undefined ? [] : (hostOf(address) ?? []))));
}
