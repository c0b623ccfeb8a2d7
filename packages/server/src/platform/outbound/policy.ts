import { isIP } from 'node:net';
import { type ClassifiedAddress, isInNetworks, type Network, parseNetwork } from './address.ts';

/**
 * What a kind of connection may reach. Made by one of the factories below, once per settings, and passed to every
 * call: connections that are kept alive are shared under the same policy only.
 */
export type OutboundPolicy = {
  /** Shown in messages and logs: the channel's or purpose's name. */
  readonly name: string;
  /** Host patterns outside which nothing is reachable; undefined: any host. */
  readonly hosts: readonly string[] | undefined;
  /** Host patterns of the operator that may be plain HTTP and private. */
  readonly trustedHosts: readonly string[];
  /** `PublicOnly`: global unicast and `networks`. `NotMetadata`: private networks and loopback too. */
  readonly addresses: 'PublicOnly' | 'NotMetadata';
  /** Networks that are open beside the public ones. */
  readonly networks: readonly Network[];
  /** Whether HTTP without TLS is allowed towards loopback. Trusted hosts may always have it. */
  readonly isLoopbackHttpAllowed: boolean;
  /** Whether requests go through the configured proxy, which then decides about names. */
  readonly useProxy: boolean;
  /** Bytes of one answer at most, whatever a request asks for. Default 32 MB. */
  readonly answerBytesMax?: number;
};

const hostNameShape = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Whether a lower-case text is a host name: labels of letters, digits, hyphens and underscores. */
export function isHostName(host: string): boolean {
  return (
    host.length <= 253 && hostNameShape.test(host) && host.split('.').every((label) => label.length <= 63)
  );
}

/**
 * Brings a host pattern into the form that is compared: lower case, the canonical form of names and addresses.
 * A pattern is a host name, an address, or `*.` and a suffix (which does not match the suffix itself).
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

/** Whether a canonical host matches one of the patterns. */
export function matchesHost(host: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern,
  );
}

/** The part of the settings that decides where a kind of destination may be: `Svc:Notifications`. */
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
 * The policy for deliveries of one kind: HTTPS, public addresses and the networks that the settings open.
 *
 * @param kind Key into the settings' maps, and the policy's name.
 * @param builtInHosts Host patterns of the vendor, extended by `AllowedHosts`. Undefined: any public host, unless
 *   `AllowedHosts` has entries, which are then the whole list.
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

/** The policy for identity providers: HTTPS anywhere but metadata services, HTTP towards loopback only. */
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
 * The policy for LLM endpoints: as deliveries, save that hosts in the operator's list may be private and plain HTTP.
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

/** A packed branch, and what git says around it. */
const packBytesMax = 128 * 1024 * 1024;

/**
 * The policy for repositories: as deliveries, save that hosts in the operator's list may be private and plain HTTP.
 *
 * @throws RangeError for an entry that is no host.
 */
export function repositoryPolicy(options: {
  readonly trustedHosts: readonly string[];
  readonly useProxy: boolean;
}): OutboundPolicy {
  return { ...llmPolicy(options), name: 'Repository', answerBytesMax: packBytesMax };
}

/** The policy for data sources: any host but metadata services; used by `dial()` and by HTTP-based sources. */
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
 * The policy for the address that the operator tells of the service's life: its host alone, which may be private and
 * plain HTTP, but no metadata service.
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

/** The policy for the operator's mail server: any host but metadata services, as data sources. */
export const mailServerPolicy = (): OutboundPolicy => ({ ...dataSourcePolicy(), name: 'MailServer' });

/** Whether a policy lets a connection for a host go to an address. */
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
