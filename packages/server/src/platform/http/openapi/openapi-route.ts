import type { Endpoint } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { setApiHeaders } from '../headers.ts';
import { openApiDocument } from './openapi.ts';

export type OpenApiRouteOptions = {
  readonly endpoints: readonly Endpoint[];
  /** Version of the service. */
  readonly version: string;
  /** What every path begins with: an address, or a path on the origin that the document was read from. */
  readonly baseUrl: string;
};

type Gates = { readonly isSetupOpen: () => boolean | Promise<boolean> };

/** Serves the description of the REST API at `/openapi/v1.json`, to anybody, once setup is complete. */
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
