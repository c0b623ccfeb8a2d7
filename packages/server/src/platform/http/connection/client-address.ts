import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Address of the client, and if its connection uses TLS. */
export type ClientOrigin = { readonly address: string; readonly isSecure: boolean };

/**
 * Creates the function that determines a client's address. `X-Forwarded-For` and `X-Forwarded-Proto` count only if
 * the TCP peer is a known proxy. The client is then the rightmost hop that is no known proxy.
 *
 * @param knownProxies Addresses or networks. A malformed one throws an Error that names it.
 */
export function clientOriginOf(knownProxies: readonly string[]): (request: IncomingMessage) => ClientOrigin {
  const ranges = knownProxies.map(parseRange);
  const isKnown = (address: string): boolean => {
    const parsed = parseAddress(address);
    return (
      parsed !== undefined && ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range))
    );
  };
  // Cached per connection: a connection carries many requests and has one peer.
  const peers = new WeakMap<Socket, string>();
  const peerOf = (socket: Socket): string => {
    const cachedPeer = peers.get(socket);
    if (cachedPeer !== undefined) return cachedPeer;
    const peer = normalise(socket.remoteAddress ?? '');
    peers.set(socket, peer);
    return peer;
  };
  return (request) => {
    const peer = peerOf(request.socket);
    const isTls = (request.socket as { encrypted?: boolean }).encrypted === true;
    if (ranges.length === 0 || !isKnown(peer)) return { address: peer, isSecure: isTls };
    const hops = headerOf(request, 'x-forwarded-for')
      .split(',')
      .map((hop) => normalise(hop.trim()))
      .filter(Boolean);
    const client = hops.findLast((hop) => !isKnown(hop)) ?? hops[0] ?? peer;
    const protocol = headerOf(request, 'x-forwarded-proto').split(',').at(-1)?.trim();
    return { address: parseAddress(client) ? client : peer, isSecure: isTls || protocol === 'https' };
  };
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

const normalise = (address: string): string => parseAddress(address)?.toString() ?? address;

function parseRange(text: string): Range {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    throw new Error(
      `The setting Svc:ForwardedHeaders:KnownProxies must be addresses or networks; ${text} is neither.`,
    );
  }
}
