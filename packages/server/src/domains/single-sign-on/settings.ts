import type { Config } from '../../platform/config/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { isEntraKind } from './admission.ts';
import type { ProviderSettings } from './provider.ts';

const section = 'Svc:Authentication:Oidc';

/**
 * Returns the settings of the provider; undefined while single sign-on is off.
 *
 * @throws Error that names the key when the section is invalid.
 */
export function providerSettings(config: Config, log: Logger): ProviderSettings | undefined {
  if (!config[`${section}:Enabled`]) return undefined;
  if (!config['Svc:UserManagement:Enabled'])
    throw new Error(`The setting ${section}:Enabled needs Svc:UserManagement:Enabled.`);
  const authority = required(config, 'Authority');
  const { protocol, hostname } = new URL(authority);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isLoopback)
    throw new Error(`The setting ${section}:Authority must be an https address.`);
  const scopes = config[`${section}:Scopes`];
  if (!scopes.includes('openid')) throw new Error(`The setting ${section}:Scopes must name openid.`);
  const allowsAny = config[`${section}:AllowAnyTenant`];
  if (!allowsAny && config[`${section}:AllowedTenants`].length === 0)
    throw new Error(
      `The setting ${section}:AllowedTenants must name a tenant, unless AllowAnyTenant is true.`,
    );
  if (allowsAny && isEntraKind(authority))
    log.warn(
      { setting: `${section}:AllowAnyTenant` },
      'accounts of every tenant of this identity provider may sign in: name yours in AllowedTenants',
    );
  return {
    authority,
    scopes,
    clientId: required(config, 'ClientId'),
    clientSecret: required(config, 'ClientSecret'),
  };
}

function required(config: Config, name: 'Authority' | 'ClientId' | 'ClientSecret'): string {
  const value = config[`${section}:${name}`];
  if (!value) throw new Error(`The setting ${section}:${name} is required while single sign-on is enabled.`);
  return value;
}
