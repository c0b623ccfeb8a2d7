import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoints } from './endpoints.ts';

type FastifyReplyLike = {
  readonly raw: ServerResponse;
  hijack(): unknown;
  callNotFound(): unknown;
};

/** The part of a Fastify instance that is used: the library itself does not depend on Fastify. */
export type FastifyLike = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void,
  ): unknown;
  route(options: {
    method: string;
    url: string;
    exposeHeadRoute: boolean;
    handler: (request: { readonly raw: IncomingMessage }, reply: FastifyReplyLike) => Promise<unknown>;
  }): unknown;
};

/** `/orders/{id:int}/{*rest}` as Fastify writes it: `/orders/:id/*`. */
const fastifyUrl = (identity: string): string =>
  identity.replace(/\{\*\w+\}/g, '*').replace(/\{(\w+)\}/g, ':$1');

/**
 * A Fastify plugin with one route for each endpoint that is mapped when it is registered, so that the host's hooks run
 * before them and its error handler gets what they throw. Calls are observed where observability is registered.
 * Bodies are left to the endpoints: register it in a scope of its own, as `app.register` does.
 */
export function fastifyEndpoints(endpoints: Endpoints): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const urls = new Set<string>();
    for (const { method, template } of endpoints.routes()) {
      const url = fastifyUrl(template.identity);
      // Two templates that differ by a constraint only are one route there; the endpoints tell them apart.
      if (urls.has(`${method} ${url}`)) continue;
      urls.add(`${method} ${url}`);
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: (request, reply) =>
          new Promise<void>((resolve, reject) => {
            reply.raw.once('close', () => {
              // Sent by the endpoint itself; a no-op when the error handler has sent it.
              reply.hijack();
              resolve();
            });
            endpoints.handle(request.raw, reply.raw, (error) => {
              if (error === undefined) reply.callNotFound();
              else reject(error);
            });
          }),
      });
    }
  };
}
