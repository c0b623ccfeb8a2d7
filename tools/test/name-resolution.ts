/**
 * Keeps tests from asking name servers, where it is a setup file: every name but those of the machine itself is one
 * that nobody has. What the network says of the names of vendors and of reserved zones may not matter to a test, and an
 * answer that is lost on the way is waited for 5 s. The callback form, which opens connections, is left alone.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

const isOwn = (host: string): boolean => isIP(host) !== 0 || /(^|\.)localhost\.?$/i.test(host);

/** As the system says it of a name that nobody has. */
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
