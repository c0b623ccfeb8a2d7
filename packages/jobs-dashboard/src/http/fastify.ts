import type { IncomingMessage, ServerResponse } from 'node:http';

type Reply = { readonly raw: ServerResponse; hijack: () => unknown };
type Request = { readonly raw: IncomingMessage };

/** Subset of Fastify 4 and 5 that the plugin uses. */
export type FastifyLike = {
  route: (options: {
    method: string[];
    url: string;
    onRequest: (request: Request, reply: Reply, done: () => void) => void;
    handler: () => void;
  }) => unknown;
};

/** Callback-style plugin, which every Fastify version accepts. */
export type FastifyPlugin = (app: FastifyLike, options: unknown, done: () => void) => void;

/** Mounts a Node handler under a prefix of a Fastify server. It runs before Fastify reads the body. */
export function fastifyPlugin(
  prefix: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): FastifyPlugin {
  return (app, _options, done) => {
    for (const url of [prefix, `${prefix}/*`]) {
      app.route({
        method: ['GET', 'POST'],
        url,
        onRequest: (request, reply) => {
          reply.hijack();
          handle(request.raw, reply.raw);
        },
        handler: () => undefined,
      });
    }
    done();
  };
}
