import type { FastifyRequest } from 'fastify';
import { forbidden } from '../http/index.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const loopbackAddresses = /^(127\.|::1$|::ffff:127\.)/;

/** Host name, without the port; undefined for what is none. */
function nameOf(host: string): string | undefined {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The same, with the last answer kept: requests come by one name as a rule. */
function rememberingNameOf(): typeof nameOf {
  let last: { readonly host: string; readonly name: string | undefined } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, name: nameOf(host) };
    return last.name;
  };
}

/**
 * Makes the check against pages of other sites, and against names that were pointed at us behind a browser's back
 * (DNS rebinding). A request without an `Origin` passes: it comes from a program. The host is judged where its right
 * name is known: on a loopback address, or when one was configured.
 *
 * @param options.hosts  host names of our own, e.g. of the public address.
 * @param options.isHostKnown  true when those are all there are.
 * @param options.origins  web origins that may call beside our own.
 * @throws Refusal (403) that names the setting.
 */
export function createOriginCheck(options: {
  readonly hosts: readonly string[];
  readonly isHostKnown: boolean;
  readonly origins: readonly string[];
}): (request: FastifyRequest) => void {
  const hosts = new Set([...loopbackNames, ...options.hosts.map((host) => host.toLowerCase())]);
  const origins = new Set(options.origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));

  const hostName = rememberingNameOf();
  const isOwnOrigin = (origin: string, host: string): boolean => {
    if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
    const from = new URL(origin);
    return hosts.has(from.hostname) || from.host === host.toLowerCase();
  };

  return (request) => {
    const host = request.headers.host ?? '';
    const isChecked = options.isHostKnown || loopbackAddresses.test(request.raw.socket.localAddress ?? '');
    if (isChecked && !hosts.has(hostName(host) ?? ''))
      throw forbidden(
        'host-not-allowed',
        'The MCP endpoint is not called by this host name. The setting Svc:Mcp:AllowedHosts adds one.',
      );
    const { origin } = request.headers;
    if (origin === undefined || origins.has(origin.toLowerCase()) || isOwnOrigin(origin, host)) return;
    throw forbidden(
      'origin-not-allowed',
      'Pages of this origin may not call the MCP endpoint. The setting Svc:Mcp:AllowedOrigins adds one.',
    );
  };
}
