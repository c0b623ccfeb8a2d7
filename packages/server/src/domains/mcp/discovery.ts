import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import {
  getProtectedResource,
  getProtectedResourceOfMcp,
  getServerCard,
  getServerCardOfMcp,
  mcpPath,
  type ProtectedResource,
  protectedResourcePath,
  type ServerCard,
} from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymousCaller } from '../../platform/access/index.ts';
import { type Route, type RouteGate, route } from '../../platform/http/index.ts';

export type DiscoverySettings = {
  /** Public origin; undefined means the origin of the request. */
  readonly publicBaseUrl: string | undefined;
  /** Issuers of accepted access tokens; empty while access tokens are disabled. */
  readonly authorizationServers: readonly string[];
  readonly version: string;
};

const currentRevision = '2026-07-28';

/** Returns the base URL for published documents: origin and mount path of the service. */
export const baseUrlOf = (
  request: FastifyRequest,
  { publicBaseUrl }: Pick<DiscoverySettings, 'publicBaseUrl'>,
): string => withoutPath(request, publicBaseUrl) + request.svc.basePath;

const withoutPath = (request: FastifyRequest, publicBaseUrl: string | undefined): string =>
  publicBaseUrl === undefined
    ? `${request.svc.origin.isSecure ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`
    : new URL(publicBaseUrl).origin;

/** Returns the URL of the endpoint's protected-resource document. */
export const metadataUrl = (
  request: FastifyRequest,
  settings: Pick<DiscoverySettings, 'publicBaseUrl'>,
): string => `${baseUrlOf(request, settings)}${protectedResourcePath}${mcpPath}`;

/**
 * Routes of the discovery documents for clients. They need no authentication, and all origins and caches may read them.
 */
export function discoveryRoutes(settings: DiscoverySettings): Route[] {
  const resource = (request: FastifyRequest): ProtectedResource => ({
    resource: `${baseUrlOf(request, settings)}${mcpPath}`,
    ...(settings.authorizationServers.length > 0 && {
      authorization_servers: [...settings.authorizationServers],
    }),
    scopes_supported: ['Execute'],
    bearer_methods_supported: ['header'],
    resource_name: 'Svc',
  });
  const card = (request: FastifyRequest): ServerCard => ({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'dev.svc/mcp',
    title: 'Svc',
    version: settings.version,
    description: 'Governed, masked and audited answers from the data sources and saved queries of a project.',
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrlOf(request, settings)}${mcpPath}`,
        supportedProtocolVersions: [...new Set([currentRevision, ...SUPPORTED_PROTOCOL_VERSIONS])],
        headers: [
          {
            name: 'Authorization',
            description: 'Bearer, then an API key with the scope Execute or an access token.',
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  });
  // The documents are public and equal for every caller, so credentials are ignored.
  const gate: RouteGate = { authenticate: async () => anonymousCaller, refuse: (refusal) => refusal };
  const cardType = 'application/mcp-server-card+json; charset=utf-8';
  return [
    ...[getProtectedResource, getProtectedResourceOfMcp].map((endpoint) =>
      route(
        endpoint,
        async ({ request, reply }) => {
          open(reply, settings, 'application/json; charset=utf-8');
          return resource(request);
        },
        gate,
      ),
    ),
    ...[getServerCard, getServerCardOfMcp].map((endpoint) =>
      route(
        endpoint,
        async ({ request, reply }) => {
          open(reply, settings, cardType);
          return card(request);
        },
        gate,
      ),
    ),
  ];
}

/**
 * Sets the headers of a public document. Without a public origin, the document contains the request's host, so caches
 * must not store it.
 */
function open(reply: FastifyReply, { publicBaseUrl }: DiscoverySettings, contentType: string): void {
  reply.header('cache-control', publicBaseUrl === undefined ? 'no-store' : 'public, max-age=3600');
  reply.header('access-control-allow-origin', '*');
  reply.header('cross-origin-resource-policy', 'cross-origin');
  reply.type(contentType);
}
