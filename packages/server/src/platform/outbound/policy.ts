import { isIP } from 'node:net';
import { type ClassifiedAddress, isInNetworks, type Network, parseNetwork } from './address.ts';

/**
 * Reachable destinations of a connection purpose. One of the factories below creates it once per settings, and
 * every call gets it. Connections are reused only under the same policy object.
 */
export type OutboundPolicy = {
  /** Channel or purpose, for messages and logs. */
  readonly name: string;
  /** Host patterns of the reachable hosts. Undefined: any host. */
  readonly hosts: readonly string[] | undefined;
  /** The operator's host patterns that may use plain HTTP and private addresses. */
  readonly trustedHosts: readonly string[];
  /** `PublicOnly`: global unicast and `networks`. `NotMetadata`: private, loopback and reserved addresses too. */
  readonly addresses: 'PublicOnly' | 'NotMetadata';
  /** Additional reachable networks. */
  readonly networks: readonly Network[];
  /** True if HTTP without TLS is allowed for loopback. It is always allowed for trusted hosts. */
  readonly isLoopbackHttpAllowed: boolean;
  /** True if requests use the configured proxy, which then resolves names. */
  readonly useProxy: boolean;
  /** Maximum bytes of one response, regardless of the request's own limit. Default 32 MB. */
  readonly answerBytesMax?: number;
};

const hostNameShape = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Returns true if a lower-case text is a host name: labels of letters, digits, hyphens and underscores. */
export function isHostName(host: string): boolean {
  return (
    host.length <= 253 && hostNameShape.test(host) && host.split('.').every((label) => label.length <= 63)
  );
}

/**
 * Normalizes a host pattern: lower case, the canonical form of names and addresses. A pattern is a host name, an
 * address, or `*.` and a suffix (which does not match the suffix itself).
 *
 * @throws RangeError that names the text when it is no pattern.
 */
export function parseHostPattern(text: string): string {
  const trimmed = text.trim();
  const wildcard = trimmed.startsWith('*.') ? '*.' : '';
  const written = trimmed.slice(wildcard.length);
  const rest = isIP(written) === 6 ? `[${written}]` : written;
  const url = URL.canParse(`https://${rest}/`) ? new URL(`https://${rest}/`) : undefined;
  const isBareHost =
    url !== undefined &&
    url.host === url.hostname &&
    url.pathname === '/' &&
    url.username === '' &&
    url.search === '';
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const pattern = `${wildcard}${host}`;
  const isAddress = wildcard === '' && isIP(host) === 6;
  if (!isBareHost || rest.includes('/') || !(isAddress || isHostName(host)))
    throw new RangeError(`"${text}" is no host: write it as hooks.example.com or *.example.com.`);
  return pattern;
}

/** Returns true if a canonical host matches one of the patterns. */
export function matchesHost(host: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern,
  );
}

/** Settings that restrict destinations: `Svc:Notifications`. */
export type DestinationSettings = {
  /** `AllowedHosts:{Type}`: host patterns by kind of destination. */
  readonly allowedHosts?: Readonly<Record<string, readonly string[]>>;
  /** `AllowedPrivateNetworks:{Type}`: networks in CIDR notation by kind of destination. */
  readonly allowedPrivateNetworks?: Readonly<Record<string, readonly string[]>>;
  /** `UseSystemProxy`. */
  readonly useSystemProxy?: boolean;
};

const listOf = (map: Readonly<Record<string, readonly string[]>> | undefined, key: string) => {
  if (!map) return [];
  return Object.entries(map).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] ?? [];
};

/**
 * Returns the policy for deliveries of one kind: HTTPS, public addresses and the configured networks.
 *
 * @param kind Key into the settings' maps, and the policy's name.
 * @param builtInHosts Host patterns of the vendor, extended by `AllowedHosts`. Undefined: any public host, unless
 * `AllowedHosts` has entries, which are then the complete list.
 * @throws RangeError naming the setting and the entry that is no host or no network.
 */
export function deliveryPolicy(
  kind: string,
  settings: DestinationSettings,
  builtInHosts?: readonly string[],
): OutboundPolicy {
  const parse = <T>(setting: string, entries: readonly string[], one: (text: string) => T) =>
    entries.map((entry) => {
      try {
        return one(entry);
      } catch (error) {
        throw new RangeError(`${setting}:${kind}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
  const configured = parse('AllowedHosts', listOf(settings.allowedHosts, kind), parseHostPattern);
  const isOpen = builtInHosts === undefined && configured.length === 0;
  return {
    name: kind,
    hosts: isOpen ? undefined : [...(builtInHosts ?? []), ...configured],
    trustedHosts: [],
    addresses: 'PublicOnly',
    networks: parse('AllowedPrivateNetworks', listOf(settings.allowedPrivateNetworks, kind), parseNetwork),
    isLoopbackHttpAllowed: false,
    useProxy: settings.useSystemProxy ?? false,
  };
}

/**
 * Returns the policy for identity providers: HTTPS to any host, HTTP only to loopback. Metadata services and
 * link-local addresses are unreachable.
 */
export function identityProviderPolicy(options: { useProxy?: boolean } = {}): OutboundPolicy {
  return {
    name: 'IdentityProvider',
    hosts: undefined,
    trustedHosts: [],
    addresses: 'NotMetadata',
    networks: [],
    isLoopbackHttpAllowed: true,
    useProxy: options.useProxy ?? false,
  };
}

/**
 * Returns the policy for LLM endpoints: as for deliveries, but hosts in the operator's list may be private and
 * plain HTTP.
 *
 * @throws RangeError for an entry that is no host.
 */
export function llmPolicy(
  options: { trustedHosts?: readonly string[]; useProxy?: boolean } = {},
): OutboundPolicy {
  return {
    name: 'Llm',
    hosts: undefined,
    trustedHosts: (options.trustedHosts ?? []).map(parseHostPattern),
    addresses: 'PublicOnly',
    networks: [],
    isLoopbackHttpAllowed: false,
    useProxy: options.useProxy ?? false,
  };
}

/** Maximum size of a packed branch and git's framing. */
const packBytesMax = 128 * 1024 * 1024;

/**
 * Returns the policy for repositories: as for deliveries, but hosts in the operator's list may be private and plain
 * HTTP.
 *
 * @throws RangeError for an entry that is no host.
 */
export function repositoryPolicy(options: {
  readonly trustedHosts: readonly string[];
  readonly useProxy: boolean;
}): OutboundPolicy {
  return { ...llmPolicy(options), name: 'Repository', answerBytesMax: packBytesMax };
}

/**
 * Returns the policy for data sources, for `dial()` and for HTTP-based sources: any host, including private
 * networks and loopback. Metadata services and link-local addresses are unreachable.
 */
export function dataSourcePolicy(): OutboundPolicy {
  return {
    name: 'DataSource',
    hosts: undefined,
    trustedHosts: [],
    addresses: 'NotMetadata',
    networks: [],
    isLoopbackHttpAllowed: true,
    useProxy: false,
  };
}

/**
 * Returns the policy for the operator's heartbeat address: only its host, which may be private and plain HTTP, but
 * no metadata service.
 */
export function heartbeatPolicy(url: string, options: { readonly useProxy: boolean }): OutboundPolicy {
  const host = parseHostPattern(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  return {
    ...dataSourcePolicy(),
    name: 'Heartbeat',
    hosts: [host],
    trustedHosts: [host],
    useProxy: options.useProxy,
  };
}

/** Returns the policy for the operator's mail server: the same hosts as for data sources. */
export const mailServerPolicy = (): OutboundPolicy => ({ ...dataSourcePolicy(), name: 'MailServer' });

/** Returns true if a policy allows a connection for a host to an address. */
export function allowsAddress(policy: OutboundPolicy, host: string, address: ClassifiedAddress): boolean {
  switch (address.class) {
    case 'Metadata':
    case 'Undialable':
      return false;
    case 'Public':
      return true;
    case 'LinkLocal':
      return isInNetworks(address, policy.networks);
    case 'Private':
    case 'Loopback':
    case 'Reserved':
      return (
        policy.addresses === 'NotMetadata' ||
        matchesHost(host, policy.trustedHosts) ||
        isInNetworks(address, policy.networks)
      );
  }
}
