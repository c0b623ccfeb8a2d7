import type { Endpoint } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { setApiHeaders } from '../headers.ts';
import { openApiDocument } from './openapi.ts';

export type OpenApiRouteOptions = {
  readonly endpoints: readonly Endpoint[];
  readonly version: string;
  /** Prefix of every path: an address, or a path on the origin of the document. */
  readonly baseUrl: string;
};

type Gates = { readonly isSetupOpen: () => boolean | Promise<boolean> };

/** Serves the description of the REST API at `/openapi/v1.json`, without authentication, once setup is complete. */
export function openApiRoute(options: OpenApiRouteOptions): (app: FastifyInstance, gates: Gates) => void {
  const { endpoints, version, baseUrl } = options;
  let document: string | undefined;
  return (app, { isSetupOpen }) => {
    app.get('/openapi/v1.json', async (request, reply) => {
      setApiHeaders(reply, request.svc.origin.isSecure);
      if (await isSetupOpen()) return reply.redirect('/svc/setup', 302);
      document ??= JSON.stringify(openApiDocument(endpoints, { version, serverUrl: baseUrl }));
      return reply.type('application/json').send(document);
    });
  };
}
