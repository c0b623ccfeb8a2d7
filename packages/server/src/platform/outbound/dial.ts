import { type ClassifiedAddress, classifyAddress } from './address.ts';
import { OutboundError } from './failure.ts';
import { isHostName, type OutboundPolicy } from './policy.ts';
import { type Resolve, resolveChecked } from './resolver.ts';

/** Host and port for a driver's connection. */
export type DialTarget = { readonly host: string; readonly port: number };

/** A checked target. The driver connects to `address`, and verifies certificates against `host`. */
export type DialedTarget = {
  /** Requested host, in lower case and without brackets: the name for TLS. */
  readonly host: string;
  /** Checked address to connect to. */
  readonly address: string;
  readonly port: number;
  /** All checked addresses, `address` first, for drivers that can try several. */
  readonly addresses: readonly string[];
};

/** Refusal of a target, with a message for the user who entered it. */
export class DialRefusedError extends Error {
  override readonly name = 'DialRefusedError';
}

function readHost(text: string): string {
  const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (/[/\\@]/.test(host) || host.startsWith('np:') || host.startsWith('lpc:'))
    throw new DialRefusedError('The host must be a name or an address: sockets and pipes are not allowed.');
  if (!classifyAddress(host) && !isHostName(host.replace(/\.$/, '')))
    throw new DialRefusedError('The host is not a valid name or address.');
  return host;
}

/**
 * Checks the target of a database driver: a host name or address, a port, no Unix socket or pipe, no
 * metadata-service address. Private networks and loopback are allowed.
 *
 * Not guaranteed: that the target is not the service's own database; only a connection shows that.
 *
 * @throws DialRefusedError when the target itself is not allowed, OutboundError when its name does not resolve or
 * resolves to a forbidden address.
 */
export async function checkDialTarget(
  target: DialTarget,
  policy: OutboundPolicy,
  resolve: Resolve,
  deadlineMs: number,
): Promise<DialedTarget & { readonly checked: readonly ClassifiedAddress[] }> {
  const host = readHost(target.host);
  if (!Number.isInteger(target.port) || target.port < 1 || target.port > 65_535)
    throw new DialRefusedError('The port must be a whole number from 1 to 65535.');
  const checked = await resolveChecked(resolve, host, policy, deadlineMs);
  const addresses = checked.map(({ address }) => address);
  const [address] = addresses;
  if (address === undefined) throw new OutboundError('NameNotResolved', 'resolve');
  return { host, address, port: target.port, addresses, checked };
}
