import net from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import type { ClassifiedAddress } from './address.ts';
import { OutboundError, tlsFailureOf } from './failure.ts';
import { matchesHost, type OutboundPolicy } from './policy.ts';
import { type Resolve, resolveChecked } from './resolver.ts';

/** Deadline of each stage of a connection, in milliseconds. */
export type ConnectDeadlines = {
  readonly resolveMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
};

export type ConnectorOptions = {
  readonly policy: OutboundPolicy;
  readonly resolve: Resolve;
  readonly deadlines: ConnectDeadlines;
  readonly secureContext: tls.SecureContext;
};

/** Maximum number of addresses to try, so that all attempts fit into the deadline. */
const addressesTriedMax = 6;
const attemptMs = 800;

/** Waits for an event of a socket, within a deadline. Destroys a socket that fails. */
function waitFor<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  deadlineMs: number,
  stage: 'connect' | 'tls',
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  const timer = setTimeout(() => socket.destroy(new OutboundError('TimedOut', stage)), deadlineMs);
  // The listener remains: until the HTTP client adds its own, an unhandled error would end the process.
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
 * Idle time after which TCP probes of a connection begin. Node then probes each second, and reports a lost
 * connection after 10 probes. A waiting statement thus fails before its time limit.
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
    // No second name resolution: the socket tries only the checked addresses. A literal host skips this function;
    // it was checked directly.
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
    // Explicit, so that no environment variable can disable verification.
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

/** Creates a connector for undici that dials only checked addresses. */
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
