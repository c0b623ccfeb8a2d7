import { rateLimits } from '@svc/contract';
import { createSetupService, type OnFirstAdministrator, setupRoutes } from '../../domains/setup/index.ts';
import { createSignInService, createSignInThrottle, signInRoutes } from '../../domains/sign-in/index.ts';
import { createRateLimit } from '../../platform/rate-limit/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Accounts } from './accounts.ts';
import type { AccessTokens } from './bearer-tokens.ts';

export type SignInModule = Module & {
  /** True while no administrator exists. */
  readonly isSetupOpen: () => Promise<boolean> | boolean;
};

type SetupDeps = {
  readonly accounts: Accounts;
  /** Called in the transaction that creates the first administrator. */
  readonly onFirstAdministrator: readonly OnFirstAdministrator[];
  readonly onSetupToken: ((token: string) => void) | undefined;
};

/** Composes the setup of the first administrator, and sign-in by password. */
export function composeSignIn(
  infra: Infrastructure,
  deps: SetupDeps & { readonly accessTokens: AccessTokens | undefined },
): SignInModule {
  const { database, clock, log, audit, settings } = infra;
  const { accounts } = deps;
  const { users, addresses } = settings;
  const signIn = createSignInService({
    database,
    clock,
    log,
    audit,
    sessions: accounts.sessions,
    hashing: accounts.hashing,
    throttle: createSignInThrottle(database.pool),
    externalUser: deps.accessTokens?.externalUser,
    settings: {
      localLoginEnabled: users.hasLocalLogin,
      breakGlassUserNames: users.breakGlassUserNames,
      migrationsEnabled: settings.migrationsEnabled,
      ssoDisplayName: settings.provider && settings.singleSignOn.displayName,
      realtimeEnabled: settings.realtime.isEnabled,
      externalLoginUrl: users.externalLoginUrl,
    },
  });
  const setup = setupOf(infra, deps);
  return {
    isSetupOpen: () => users.areStored && setup.isOpen(),
    routes: [
      ...(users.areStored ? setupRoutes(setup, addresses.trustedHosts) : []),
      ...signInRoutes(signIn, {
        antiforgery: accounts.antiforgery,
        trustedHosts: addresses.trustedHosts,
        hasPasswordRoute: users.hasLocalLogin || users.breakGlassUserNames.length > 0,
      }),
    ],
    start: async () => {
      // Only a web process serves the setup that needs the token.
      if (users.areStored && settings.process.isWeb) await setup.announceToken();
    },
  };
}

function setupOf({ database, random, audit, settings }: Infrastructure, deps: SetupDeps) {
  return createSetupService({
    database,
    random,
    audit,
    hashing: deps.accounts.hashing,
    policy: deps.accounts.policy,
    limit: createRateLimit(database.pool, {
      ...rateLimits.setup,
      detail: 'Too many attempts to set up from this address. Wait before the next one.',
    }),
    configuredToken: settings.users.setupToken,
    onSetupToken: deps.onSetupToken ?? printSetupToken,
    onFirstAdministrator: deps.onFirstAdministrator,
  });
}

const printSetupToken = (token: string): void => {
  process.stderr.write(`First-run setup token: ${token}\n`);
};
