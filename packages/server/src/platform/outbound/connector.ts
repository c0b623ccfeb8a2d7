import net from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import type { ClassifiedAddress } from './address.ts';
import { OutboundError, tlsFailureOf } from './failure.ts';
import { matchesHost, type OutboundPolicy } from './policy.ts';
import { type Resolve, resolveChecked } from './resolver.ts';

/** How long each stage of a connection may take, in milliseconds. */
export type ConnectDeadlines = {
  readonly resolveMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
};

/** What a connector needs. */
export type ConnectorOptions = {
  readonly policy: OutboundPolicy;
  readonly resolve: Resolve;
  readonly deadlines: ConnectDeadlines;
  readonly secureContext: tls.SecureContext;
};

/** Addresses tried at most, so that all of them fit into the deadline. */
const addressesTriedMax = 6;
const attemptMs = 800;

/** Waits for an event of a socket, within a deadline; a socket that fails is destroyed. */
function waitFor<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  deadlineMs: number,
  stage: 'connect' | 'tls',
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  const timer = setTimeout(() => socket.destroy(new OutboundError('TimedOut', stage)), deadlineMs);
  // The listener stays: between here and the HTTP client's own, an error without a listener would end the process.
  socket.on('error', (error) => {
    const code = stage === 'tls' ? tlsFailureOf(error) : 'ConnectionFailed';
    reject(error instanceof OutboundError ? error : new OutboundError(code, stage, error));
  });
  socket.once('close', () => {
    clearTimeout(timer);
    reject(new OutboundError(stage === 'tls' ? 'TlsFailed' : 'ConnectionFailed', stage));
  });
  socket.once(event, () => {
    clearTimeout(timer);
    resolve(socket);
  });
  return promise;
}

/**
 * TCP probes of a connection without traffic begin after this time. Node probes each second then, and reports a lost
 * connection after 10 probes: a statement that waits for its answer need not wait for its time limit.
 */
const keepAliveDelayMs = 10_000;

/** Opens a TCP connection to one of the checked addresses of a host. */
export function openTcp(
  host: string,
  port: number,
  addresses: readonly ClassifiedAddress[],
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<net.Socket> {
  const checked = addresses.slice(0, addressesTriedMax).map(({ address }) => ({
    address,
    family: net.isIP(address),
  }));
  const socket = net.connect({
    host,
    port,
    // The system is not asked again: the socket tries the checked addresses and no other. A literal host skips
    // this function, and has been checked as what it is.
    lookup: (_host, _options, callback) => callback(null, checked),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
    ...(signal ? { signal } : {}),
  });
  return waitFor(socket, 'connect', deadlineMs, 'connect');
}

function startTls(
  socket: net.Socket,
  host: string,
  secureContext: tls.SecureContext,
  deadlineMs: number,
): Promise<tls.TLSSocket> {
  const secured = tls.connect({
    socket,
    secureContext,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Said out loud, so that no environment variable can turn verification off.
    rejectUnauthorized: true,
    checkServerIdentity: (_name, certificate) => tls.checkServerIdentity(host, certificate),
  });
  return waitFor(secured, 'secureConnect', deadlineMs, 'tls');
}

/** Opens a connection to a host after checking every address that it resolves to. */
async function openChecked(
  { hostname, port: portText, protocol }: buildConnector.Options,
  { policy, resolve, deadlines, secureContext }: ConnectorOptions,
): Promise<net.Socket | tls.TLSSocket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const port = Number(portText) || (isSecure ? 443 : 80);
  const addresses = await resolveChecked(resolve, host, policy, deadlines.resolveMs);
  if (!isSecure && !matchesHost(host, policy.trustedHosts)) {
    const isLoopback = addresses.every((address) => address.class === 'Loopback');
    if (!policy.isLoopbackHttpAllowed || !isLoopback) throw new OutboundError('AddressRefused', 'connect');
  }
  const socket = await openTcp(host, port, addresses, deadlines.connectMs);
  return isSecure ? startTls(socket, host, secureContext, deadlines.tlsMs) : socket;
}

/** A connector for undici that dials checked addresses only. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    openChecked(target, options).then(
      (socket) => callback(null, socket),
      (error: unknown) =>
        callback(
          error instanceof Error ? error : new OutboundError('ConnectionFailed', 'connect', error),
          null,
        ),
    );
  };
}
