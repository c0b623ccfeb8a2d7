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

/** Subset of a Fastify instance that the library uses. The library itself does not depend on Fastify. */
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

/** Returns a template in Fastify's syntax: `/orders/{id}/{*rest}` becomes `/orders/:id/*`. */
const fastifyUrl = (identity: string): string =>
  identity.replace(/\{\*\w+\}/g, '*').replace(/\{(\w+)\}/g, ':$1');

/** Returns Fastify's names of a template's parameters, in their order. */
const fastifyNames = (identity: string): string[] =>
  [...identity.matchAll(/\{(\*?)(\w+)\}/g)].map(([, star, name]) => (star ? '*' : (name ?? '')));

/** Marker result of a handler whose response was sent without Fastify. */
const sentByEndpoint = Symbol('sent');

/** Sends responses through Fastify, so that hooks and plugins of the host apply to them. */
const fastifyTransport: Transport<FastifyReplyLike> = {
  response: (reply) => reply.raw,
  send: (reply, status, headers, text) => {
    reply.code(status);
    // Fast path for responses with only the JSON headers.
    if (headers === jsonHeaders) {
      reply.type(jsonContentType);
      return text;
    }
    for (const name in headers) reply.header(name, headers[name] ?? '');
    // Fastify appends a character set to a JSON text without one, but does not change bytes.
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

/**
 * Returns the handler of one Fastify route. Of templates that differ only in constraints, the first match serves the
 * request.
 */
function handlerOf(routes: readonly BoundRoute[], names: readonly string[], mount: string) {
  return (request: FastifyRequestLike, reply: FastifyReplyLike): unknown => {
    const given = request.params as Readonly<Record<string, string>>;
    for (const route of routes) {
      const params = route.template.matchValues(given, names);
      if (!params) continue;
      const answer = route.serve(request.raw, params, mount, fastifyTransport, reply);
      // For Fastify, a handler that returns undefined has not responded yet.
      if (answer === undefined) reply.send();
      return answer === sentByEndpoint ? undefined : answer;
    }
    reply.callNotFound();
    return undefined;
  };
}

/**
 * Returns a Fastify plugin with one route per endpoint mapped at the time of its registration. The host's hooks run
 * before and after the endpoints, its error handler receives their errors, and its reply headers are sent.
 *
 * Calls are observed where observability is registered. Endpoints parse their bodies themselves, so register the plugin
 * in a separate scope, as `app.register` does.
 */
export function fastifyEndpoints(endpoints: Endpoints): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Templates that differ only in constraints or parameter names are one route in Fastify.
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
