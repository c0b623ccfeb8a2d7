/**
 * Setup file that keeps tests from querying name servers. Every name except the machine's own does not exist. A test
 * must not depend on the answers of the network, and a lost answer takes 5 s. The callback form, which opens
 * connections, is unchanged.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

const isOwn = (host: string): boolean => isIP(host) !== 0 || /(^|\.)localhost\.?$/i.test(host);

/** Returns the error of the system for a name that does not exist. */
const notFound = (host: string): Error =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: host,
  });

const lookupBySystem = promisify(dns.lookup);

Object.assign(dns.promises, {
  lookup: async (host: string, options: dns.LookupAllOptions): Promise<unknown> => {
    if (isOwn(host)) return lookupBySystem(host, options);
    throw notFound(host);
  },
});
syncBuiltinESMExports();
