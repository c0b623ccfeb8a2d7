import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoints } from './endpoints.ts';
import { jsonContentType, jsonHeaders, type Transport } from './send-answer.ts';
import type { BoundRoute } from './serve-endpoint.ts';

type FastifyReplyLike = {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  type(contentType: string): unknown;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  send(): unknown;
  hijack(): unknown;
  callNotFound(): unknown;
};

type FastifyRequestLike = { readonly raw: IncomingMessage; readonly params: unknown };

/** The part of a Fastify instance that is used: the library itself does not depend on Fastify. */
export type FastifyLike = {
  readonly prefix: string;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void,
  ): unknown;
  route(options: {
    method: string;
    url: string;
    exposeHeadRoute: boolean;
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown;
  }): unknown;
};

/** `/orders/{id:int}/{*rest}` as Fastify writes it: `/orders/:id/*`. */
const fastifyUrl = (identity: string): string =>
  identity.replace(/\{\*\w+\}/g, '*').replace(/\{(\w+)\}/g, ':$1');

/** Names under which Fastify gives the values of a template's parameters, in their order. */
const fastifyNames = (identity: string): string[] =>
  [...identity.matchAll(/\{(\*?)(\w+)\}/g)].map(([, star, name]) => (star ? '*' : (name ?? '')));

/** What a handler tells Fastify when the answer went past it. */
const sentByEndpoint = Symbol('sent');

/** Gives answers to Fastify, so that what the host's hooks and plugins add to a reply is added to these as well. */
const fastifyTransport: Transport<FastifyReplyLike> = {
  response: (reply) => reply.raw,
  send: (reply, status, headers, text) => {
    reply.code(status);
    // What most answers have and nothing more: said in the shortest way there is.
    if (headers === jsonHeaders) {
      reply.type(jsonContentType);
      return text;
    }
    for (const name in headers) reply.header(name, headers[name] ?? '');
    // To a text that says it is JSON, but not in which character set, Fastify adds that; bytes are left as they are.
    const contentType = headers['content-type'];
    return text === undefined || contentType?.includes('charset') ? text : Buffer.from(text);
  },
  begin: (reply, status, headers) => {
    reply.hijack();
    const all = { ...reply.getHeaders(), ...headers };
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) reply.raw.setHeader(name, value);
    return reply.raw.writeHead(status);
  },
  sent: (reply) => {
    reply.hijack();
    return sentByEndpoint;
  },
};

/** The handler of one Fastify route: of the templates that differ by a constraint only, the first that fits. */
function handlerOf(routes: readonly BoundRoute[], names: readonly string[], mount: string) {
  return (request: FastifyRequestLike, reply: FastifyReplyLike): unknown => {
    const given = request.params as Readonly<Record<string, string>>;
    for (const route of routes) {
      const params = route.template.matchValues(given, names);
      if (!params) continue;
      const answer = route.serve(request.raw, params, mount, fastifyTransport, reply);
      // To Fastify, a handler that returns nothing has not answered yet.
      if (answer === undefined) reply.send();
      return answer === sentByEndpoint ? undefined : answer;
    }
    reply.callNotFound();
    return undefined;
  };
}

/**
 * A Fastify plugin with one route for each endpoint that is mapped when it is registered: the host's hooks run before
 * and after them, its error handler gets what they throw, and headers that it has put on the reply are sent. Calls are
 * observed where observability is registered. Bodies are left to the endpoints: register it in a scope of its own, as
 * `app.register` does.
 */
export function fastifyEndpoints(endpoints: Endpoints): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Two templates that differ by a constraint or by names only are one route there.
    const byShape = new Map<string, BoundRoute[]>();
    for (const route of endpoints.routes()) {
      const shape = `${route.method} ${fastifyUrl(route.template.identity).replace(/:\w+/g, ':')}`;
      byShape.set(shape, [...(byShape.get(shape) ?? []), route]);
    }
    for (const routes of byShape.values()) {
      const [first] = routes;
      if (!first) continue;
      const { identity } = first.template;
      app.route({
        method: first.method,
        url: fastifyUrl(identity),
        exposeHeadRoute: false,
        handler: handlerOf(routes, fastifyNames(identity), app.prefix),
      });
    }
  };
}
