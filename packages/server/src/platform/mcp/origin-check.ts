import type { FastifyRequest } from 'fastify';
import { forbidden } from '../http/index.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const loopbackAddresses = /^(127\.|::1$|::ffff:127\.)/;

/** Returns the host name without the port; undefined for an invalid host. */
function nameOf(host: string): string | undefined {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** Caches the last result, because requests usually come with one name. */
function rememberingNameOf(): typeof nameOf {
  let last: { readonly host: string; readonly name: string | undefined } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, name: nameOf(host) };
    return last.name;
  };
}

/**
 * Creates the check against pages of other sites and against DNS rebinding. A request without an `Origin` passes,
 * because it comes from a program. The host is checked only if its correct name is known: on a loopback address, or
 * if one is configured.
 *
 * @param options.hosts Host names of the service, for example of the public address.
 * @param options.isHostKnown True if `hosts` is complete.
 * @param options.origins Additional web origins that may call.
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
