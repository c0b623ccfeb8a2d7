import { rateLimits } from '@svc/contract';
import { createSavedViewsService, savedViewRoutes } from '../../domains/saved-views/index.ts';
import { createSessionAdministration, userSessionRoutes } from '../../domains/sessions/index.ts';
import { createUserSettingsService, userSettingsRoutes } from '../../domains/user-settings/index.ts';
import { createUsersService, userRoutes } from '../../domains/users/index.ts';
import { createRateLimit } from '../../platform/rate-limit/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Accounts } from './accounts.ts';
import type { ApiKeysModule } from './api-keys.ts';

/** Composes the administration of stored users, if enabled, and the personal settings of all users. */
export function composeUsers(
  infra: Infrastructure,
  deps: { readonly accounts: Accounts; readonly apiKeys: ApiKeysModule['apiKeys'] },
): Module {
  const { database, clock, audit, settings } = infra;
  const { sessions, hashing, policy, antiforgery } = deps.accounts;
  const { provider, bearer } = settings;
  const users = createUsersService({
    database,
    clock,
    audit,
    hashing,
    policy,
    knownIssuers: [...new Set([...(provider ? [provider.authority] : []), ...(bearer?.issuers ?? [])])],
    revokeKeys: deps.apiKeys.revokeAllOf,
    endSessions: sessions.endAllOf,
    suspendSessions: sessions.suspendAllOf,
  });
  const userSettings = createUserSettingsService({
    database,
    audit,
    sessions,
    hashing,
    policy,
    limit: createRateLimit(database.pool, {
      ...rateLimits.changePassword,
      detail: 'Too many attempts to change the password. Wait before the next one.',
    }),
  });
  const ofStoredUsers = () => [
    ...userRoutes(users),
    ...userSessionRoutes(createSessionAdministration({ database, audit, sessions })),
  ];
  return {
    routes: [
      ...(settings.users.areStored ? ofStoredUsers() : []),
      ...userSettingsRoutes(userSettings, antiforgery),
      ...savedViewRoutes(createSavedViewsService({ database })),
    ],
  };
}
