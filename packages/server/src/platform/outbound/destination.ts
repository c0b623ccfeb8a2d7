import { isIP } from 'node:net';
import { classifyAddress } from './address.ts';
import { allowsAddress, isHostName, matchesHost, type OutboundPolicy } from './policy.ts';

/** Reasons to refuse a destination when it is saved, with the sentence for the user. Closed list. */
export const refusalTexts = {
  InvalidUrl: 'The destination is not a valid URL.',
  TooLong: 'The URL is longer than 4,096 characters.',
  NotHttps: 'The URL must begin with https://.',
  UserInfo: 'The URL must not contain a user name or password.',
  PortNotAllowed: 'The port of the URL is one that is not used for HTTPS.',
  HostNotAllowed: 'The host is not among the hosts that are allowed for this kind of destination.',
  AddressNotAllowed:
    'The host is, or resolves to, a private, loopback, link-local or reserved address that is not allowed.',
} as const;

export type DestinationRefusal = keyof typeof refusalTexts;

/** A URL whose text passed the policy. Its name is not resolved yet. */
export type ParsedDestination = {
  readonly url: URL;
  /** Canonical host without brackets. */
  readonly host: string;
  readonly port: number;
};

const urlLengthMax = 4_096;

/** Ports of other protocols, which browsers refuse too (WHATWG Fetch, "bad port"). */
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080, 11211, 27017,
]);

/** Names of metadata services, for the case that a proxy resolves them. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);

// Characters that a URL parser removes or replaces. The user would read another URL than the connected one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const deceptive = /[\u0000-\u0020\u007f\\]/;

const isLoopbackName = (host: string) => host === 'localhost' || host.endsWith('.localhost');

function addressOf(host: string): string | undefined {
  if (isIP(host) !== 0) return host;
  return isLoopbackName(host) ? '127.0.0.1' : undefined;
}

type CheckedUrl =
  | { readonly ok: true; readonly destination: ParsedDestination }
  | { readonly ok: false; readonly refusal: DestinationRefusal };

const refuse = (refusal: DestinationRefusal) => ({ ok: false, refusal }) as const;

function isSchemeAllowed(url: URL, host: string, policy: OutboundPolicy): boolean {
  if (url.protocol === 'https:') return true;
  if (url.protocol !== 'http:') return false;
  if (matchesHost(host, policy.trustedHosts)) return true;
  // The resolution check detects a name that only claims to be loopback.
  const literal = addressOf(host);
  return (
    policy.isLoopbackHttpAllowed && literal !== undefined && classifyAddress(literal)?.class === 'Loopback'
  );
}

/**
 * Parses a URL once and checks everything in its text: form, scheme, user info, port and host list. Checks the
 * address of a literal host in any spelling.
 */
export function checkUrl(text: string, policy: OutboundPolicy): CheckedUrl {
  if (text.length > urlLengthMax) return refuse('TooLong');
  if (deceptive.test(text) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text))
    return refuse('InvalidUrl');
  const url = new URL(text);
  // A trailing root dot denotes the same host, for every list and for the certificate.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isSchemeAllowed(url, host, policy)) return refuse('NotHttps');
  // The text is checked too, because the parser drops an empty user name ("https://@host").
  const authority = text.slice(text.indexOf('://') + 3).split(/[/?#]/, 1)[0] ?? '';
  if (url.username !== '' || url.password !== '' || authority.includes('@')) return refuse('UserInfo');
  if (isIP(host) === 0 && !isHostName(host)) return refuse('InvalidUrl');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (badPorts.has(port)) return refuse('PortNotAllowed');
  if (policy.hosts && !matchesHost(host, policy.hosts)) return refuse('HostNotAllowed');
  if (metadataNames.has(host)) return refuse('AddressNotAllowed');
  const literal = addressOf(host);
  const classified = literal === undefined ? undefined : classifyAddress(literal);
  if (classified && !allowsAddress(policy, host, classified)) return refuse('AddressNotAllowed');
  url.hash = '';
  return { ok: true, destination: { url, host, port } };
}
