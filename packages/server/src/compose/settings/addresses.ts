import type { Config } from '../../platform/config/index.ts';
import { hostOf } from '../../platform/http/index.ts';

/** Returns the addresses of the service, for browsers and for programs. */
export function addressSettings(config: Config) {
  const publicBaseUrl = config['Svc:PublicBaseUrl'];
  const baseUrl = config['Svc:BaseUrl'];
  const basePath = config['Svc:PathBase'];
  const addresses = [publicBaseUrl, baseUrl].flatMap((address) => {
    const host = address === undefined ? undefined : hostOf(address);
    return address === undefined || host === undefined ? [] : [{ host, hostname: new URL(address).hostname }];
  });
  const publicOrigin = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin;
  return {
    basePath: basePath ?? '',
    publicBaseUrl,
    publicOrigin,
    baseUrl,
    /** Hosts, with ports, of the service's own pages. */
    trustedHosts: new Set(addresses.map(({ host }) => host)) as ReadonlySet<string>,
    hostNames: addresses.map(({ hostname }) => hostname),
    openApiBase: openApiBaseOf(publicBaseUrl, basePath),
    knownProxies: config['Svc:ForwardedHeaders:KnownProxies'],
    bodyLimitBytes: config['Svc:Http:BodyLimitBytes'],
  };
}

/** Returns the prefix of every REST API path: the public address if it is configured. */
function openApiBaseOf(publicBaseUrl: string | undefined, basePath: string | undefined): string {
  if (publicBaseUrl === undefined) return basePath ?? '/';
  return basePath === undefined ? publicBaseUrl : new URL(publicBaseUrl).origin + basePath;
}
