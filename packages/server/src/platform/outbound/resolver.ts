import { lookup } from 'node:dns/promises';
import { type ClassifiedAddress, classifyAddress } from './address.ts';
import { OutboundError } from './failure.ts';
import { allowsAddress, type OutboundPolicy } from './policy.ts';

/** Resolves a name to all its addresses in text form. Injected in tests; production uses the system's resolver. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Creates the system's resolver (hosts file, search domains, container name services included). Concurrent lookups
 * of one name share one call, because each occupies a thread. Results are not cached.
 */
export function createSystemResolve(): Resolve {
  const running = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const runningLookup = running.get(host);
    if (runningLookup !== undefined) return runningLookup;
    const call = lookup(host, { all: true, order: 'verbatim' })
      .then((entries) => entries.map((entry) => entry.address))
      .finally(() => running.delete(host));
    running.set(host, call);
    return call;
  };
}

async function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new OutboundError('TimedOut', 'resolve')), deadlineMs);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves a host within the deadline. Returns literals unchanged. */
export async function resolveHost(
  resolve: Resolve,
  host: string,
  deadlineMs: number,
): Promise<readonly string[]> {
  if (classifyAddress(host)) return [host];
  let addresses: readonly string[];
  try {
    addresses = await withinDeadline(resolve(host), deadlineMs);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('NameNotResolved', 'resolve', error);
  }
  if (addresses.length === 0) throw new OutboundError('NameNotResolved', 'resolve');
  return addresses;
}

/** Refuses a host that resolves to a forbidden address. The address goes only to the log. */
function refuseAddress(host: string, address: string): never {
  throw new OutboundError('AddressRefused', 'resolve', new Error(`${host} resolved to ${address}`));
}

/**
 * Resolves a host and checks every address. One forbidden address refuses all of them. Otherwise the operator of
 * the name could choose the address in use.
 */
export async function resolveChecked(
  resolve: Resolve,
  host: string,
  policy: OutboundPolicy,
  deadlineMs: number,
): Promise<ClassifiedAddress[]> {
  const addresses = await resolveHost(resolve, host, deadlineMs);
  return addresses.map((address) => {
    const classified = classifyAddress(address);
    if (!classified || !allowsAddress(policy, host, classified)) refuseAddress(host, address);
    return classified;
  });
}
