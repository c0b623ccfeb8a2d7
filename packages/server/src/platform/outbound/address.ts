import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Address class for connection checks.
 *
 * - `Public`: global unicast, the only class that is allowed without configuration.
 * - `Private`: RFC 1918, shared carrier space, unique local, site local.
 * - `Loopback`, `LinkLocal`: this machine, this link.
 * - `Reserved`: documentation, benchmarking, transition mechanisms, all other space outside global unicast.
 * - `Undialable`: unspecified, multicast, broadcast. No configuration allows them (connecting to 0.0.0.0 reaches
 * loopback).
 * - `Metadata`: the instance-metadata and credential services of cloud vendors. No configuration allows them.
 */
export type AddressClass =
  | 'Public'
  | 'Private'
  | 'Loopback'
  | 'LinkLocal'
  | 'Reserved'
  | 'Undialable'
  | 'Metadata';

/** A classified address. `canonical` is the address for network matches: the inner IPv4 address of a mapped one. */
export type ClassifiedAddress = {
  readonly address: string;
  readonly class: AddressClass;
  readonly canonical: ipaddr.IPv4 | ipaddr.IPv6;
};

/** A parsed network in CIDR notation. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const metadataServices = new Set(
  [
    '169.254.169.254', // the common one
    '169.254.170.2', // container credentials
    '169.254.170.23', // pod credentials
    '169.254.0.23',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16', // a platform's wire server, in public space
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fe80::a9fe:a9fe',
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
);

/** Networks that are not global unicast, regardless of a library's list (SECURITY R2). */
const closed: Readonly<Record<'Private' | 'LinkLocal' | 'Reserved' | 'Undialable' | 'Loopback', string[]>> = {
  Undialable: ['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8'],
  Loopback: ['127.0.0.0/8', '::1/128'],
  LinkLocal: ['169.254.0.0/16', 'fe80::/10'],
  Private: ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  Reserved: [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '3fff::/20',
    '5f00::/16',
  ],
};

const globalUnicast6 = ipaddr.parseCIDR('2000::/3');

const closedNetworks = (['Undialable', 'Loopback', 'LinkLocal', 'Private', 'Reserved'] as const).flatMap(
  (name) => closed[name].map((network) => ({ name, network: ipaddr.parseCIDR(network) })),
);

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, network: Network) =>
  address.kind() === network[0].kind() && address.match(network[0], network[1]);

const networkOf = (text: string) => ipaddr.parseCIDR(text);
const mapped = networkOf('::ffff:0:0/96');
const nat64 = networkOf('64:ff9b::/96');
const nat64Local = networkOf('64:ff9b:1::/48');
const compatible = networkOf('::/96');
const translated = networkOf('::ffff:0:0:0/96');
const sixToFour = networkOf('2002::/16');
const teredo = networkOf('2001::/32');

function classifyPlain(address: ipaddr.IPv4 | ipaddr.IPv6): AddressClass {
  if (metadataServices.has(address.toNormalizedString())) return 'Metadata';
  const closedNetwork = closedNetworks.find(({ network }) => isWithin(address, network));
  if (closedNetwork) return closedNetwork.name;
  if (address.kind() === 'ipv6' && !isWithin(address, globalUnicast6)) return 'Reserved';
  return address.range() === 'unicast' ? 'Public' : 'Reserved';
}

/** Returns the IPv4 addresses that a router could extract from an IPv6 address, depending on its wrapper. */
function wrappedAddresses(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const pick = (...at: number[]) => new ipaddr.IPv4(at.map((index) => bytes[index] ?? 0));
  const last = () => pick(12, 13, 14, 15);
  if ([compatible, translated].some((network) => isWithin(address, network))) return [last()];
  if (isWithin(address, sixToFour)) return [pick(2, 3, 4, 5)];
  if (isWithin(address, teredo)) {
    const client = new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
    return [pick(4, 5, 6, 7), client];
  }
  // The operator chooses the prefix length inside this block. RFC 6052 defines a position for each length.
  if (isWithin(address, nat64Local))
    return [pick(6, 7, 9, 10), pick(7, 9, 10, 11), pick(9, 10, 11, 12), last()];
  // ISATAP: the interface identifier 0[02]00:5efe before an IPv4 address, under any prefix.
  const isIsatap = (bytes[8] ?? 1) <= 2 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isIsatap ? [last()] : [];
}

function classify6(address: ipaddr.IPv6): { class: AddressClass; canonical: ipaddr.IPv4 | ipaddr.IPv6 } {
  // Mapped and NAT64 addresses are spellings of the inner IPv4 address, which decides.
  if (isWithin(address, mapped) || isWithin(address, nat64)) {
    const inner = new ipaddr.IPv4(address.toByteArray().slice(12));
    return { class: classifyPlain(inner), canonical: inner };
  }
  const outer = classifyPlain(address);
  if (outer === 'Loopback' || outer === 'Undialable') return { class: outer, canonical: address };
  const inner = wrappedAddresses(address).map(classifyPlain);
  if (inner.includes('Metadata')) return { class: 'Metadata', canonical: address };
  const isDoubtful = outer === 'Public' && inner.some((name) => name !== 'Public');
  return { class: isDoubtful ? 'Reserved' : outer, canonical: address };
}

/**
 * Classifies an address in canonical text form. An address is `Public` only if it is global unicast.
 *
 * @returns undefined for a text that is no address (zone indexes such as `%eth0` and octal spellings are none).
 */
export function classifyAddress(text: string): ClassifiedAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4)
    return { address: text, class: classifyPlain(address), canonical: address };
  return { address: text, ...classify6(address) };
}

/**
 * Parses a network (`10.1.0.0/16`, `fd12::/48`) or a single address.
 *
 * @throws RangeError that names the text when it is neither.
 */
export function parseNetwork(text: string): Network {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const version = isIP(address);
  const length = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
  const isValid =
    version !== 0 &&
    !address.includes('%') &&
    rest.length === 0 &&
    (prefix === undefined || /^\d{1,3}$/.test(prefix)) &&
    length <= (version === 4 ? 32 : 128);
  if (!isValid) throw new RangeError(`"${text}" is no network: write it as 10.1.0.0/16 or fd12:3456::/32.`);
  return [ipaddr.parse(address), length];
}

/** Returns true if a classified address is in one of the networks. */
export function isInNetworks(address: ClassifiedAddress, networks: readonly Network[]): boolean {
  return networks.some((network) => isWithin(address.canonical, network));
}
