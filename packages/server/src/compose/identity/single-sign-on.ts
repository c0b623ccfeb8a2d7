import { rateLimits } from '@svc/contract';
import {
  createProvider,
  createSingleSignOnService,
  singleSignOnRoutes,
} from '../../domains/single-sign-on/index.ts';
import { identityProviderPolicy } from '../../platform/outbound/index.ts';
import { createRateLimit } from '../../platform/rate-limit/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Accounts } from './accounts.ts';

/** Composes sign-in through the configured provider. Empty without one. */
export function composeSingleSignOn(infra: Infrastructure, { sessions, antiforgery }: Accounts): Module {
  const { provider, singleSignOn, addresses } = infra.settings;
  if (!provider) return {};
  const fetchFromProvider = infra.outbound.fetchUnder(identityProviderPolicy());
  const service = createSingleSignOnService({
    ...infra,
    sessions,
    // The library has its own types for the arguments and result of fetch. They are compatible with undici's at run
    // time.
    provider: createProvider(provider, fetchFromProvider as never),
    limit: createRateLimit(infra.database.pool, {
      ...rateLimits.singleSignOn,
      detail: 'Too many sign-ins were begun from this address. Wait before the next one.',
    }),
    admission: singleSignOn.admission,
    provisioning: singleSignOn.provisioning,
  });
  const routes = singleSignOnRoutes(service, {
    antiforgery,
    callbackPath: singleSignOn.callbackPath,
    publicOrigin: addresses.publicOrigin,
    hasFrontChannelLogout: singleSignOn.hasFrontChannelLogout,
    issuerOrigin: new URL(provider.authority).origin,
  });
  return { routes };
}
