import { isBinary, type Page, takesIdempotencyKey } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpAppOptions } from '../app.ts';
import { gatesOf } from '../gates.ts';
import { setApiHeaders } from '../headers.ts';
import { serveOnce } from '../idempotency/serve-once.ts';
import { refuseUnstorableInput } from '../input/storable-input.ts';
import { closed } from '../input/validation.ts';
import { isPagedList, setPageLinks } from '../page-links.ts';
import { Refusal } from '../refusals/refusal.ts';
import type { RequestTelemetry } from '../request-telemetry.ts';
import { answered, type Route } from '../route.ts';
import { besideGates } from '../speculation/beside-gates.ts';
import type { KnownCallers } from '../speculation/known-callers.ts';
import { handlerOf, measuredHandler, withLateReads } from './handle.ts';

/** Redirects to the setup page. */
export const sendToSetup = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);

type BindOptions = HttpAppOptions & {
  readonly knownCallers: KnownCallers;
  readonly measuring: RequestTelemetry | undefined;
};

/** Binds a route. A route that takes bytes gets its own scope without body parsers. */
export async function bindRoute(app: FastifyInstance, route: Route, options: BindOptions): Promise<void> {
  const { bodyBytesMax } = route;
  if (bodyBytesMax === undefined) return bind(app, route, options);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const { takesFile } = route.endpoint;
    const accepted = takesFile ? 'application/octet-stream' : '*';
    scope.addContentTypeParser(
      accepted,
      { parseAs: 'buffer', bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    // Refuses content types that the OpenAPI document does not declare, before the body is read.
    if (takesFile)
      scope.addContentTypeParser('*', (_request, _body, done) => done(new Refusal('bytes-required')));
    bind(scope, route, options);
    done();
  });
}

function bind(app: FastifyInstance, route: Route, options: BindOptions): void {
  const { endpoint } = route;
  // In ascending order: a redirect is the default status only if no lower success status exists.
  const successes = Object.entries(endpoint.responses).filter(([status]) => Number(status) < 400);
  const [success] = successes;
  if (!endpoint.access) throw new Error(`The route ${endpoint.method} ${endpoint.path} has no access entry.`);
  if (!success) throw new Error(`The route ${endpoint.method} ${endpoint.path} declares no success answer.`);
  const status = Number(success[0]);
  const bodies = successes.filter(([_, answer]) => answer !== null && !isBinary(answer));
  const { admit, serve } = besideGates(options.knownCallers, route, {
    gates: gatesOf(route, options),
    handle: measuredHandler(
      options.measuring,
      withLateReads(options.lateReads, route, handlerOf(route, options.inCourseOf)),
    ),
  });
  const isList = isPagedList(endpoint);
  const isOpenBeforeSetup = endpoint.access.isOpenBeforeSetup;
  const work = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const result = await serve(request, reply);
    if (result !== answered && reply.statusCode === 200) reply.code(status);
    return result;
  };
  const once = takesIdempotencyKey(endpoint) ? options.idempotency : undefined;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { gate: route.gate },
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: closed(endpoint.body) }),
      ...(bodies.length > 0 && { response: Object.fromEntries(bodies) }),
    },
    // Runs before the body is read.
    onRequest: async (request, reply) => {
      if (!isOpenBeforeSetup && (await options.isSetupOpen())) return sendToSetup(reply);
      await admit(request);
      setApiHeaders(reply, request.svc.origin.isSecure);
      return undefined;
    },
    // An endpoint with its own gate answers in its own protocol, also for invalid input.
    ...(route.gate ? {} : { preValidation: async (request) => refuseUnstorableInput(request) }),
    handler: async (request, reply) => {
      if (once)
        return serveOnce(once, request, reply, { work: () => work(request, reply), log: options.log });
      const result = await work(request, reply);
      if (result === answered) return reply;
      if (isList) setPageLinks(request, reply, result as Page<unknown>);
      return status === 204 ? reply.send() : reply.send(result);
    },
  });
}
