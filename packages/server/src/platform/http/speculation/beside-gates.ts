import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { accessRefusal } from '../../access/guard.ts';
import type { Route } from '../route.ts';
import { credentialOf, type KnownCallers } from './known-callers.ts';
import { readEarly, runEarly, type Speculation } from './speculation.ts';

/** The two stages of a request: its gates, before the body is read, and its handler, after validation. */
export type Stages = {
  readonly admit: (request: FastifyRequest) => Promise<unknown>;
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
};

/** Gates and handler of a route. */
export type Parts = {
  readonly gates: (request: FastifyRequest) => Promise<Caller>;
  readonly handle: (
    caller: Caller,
    early: Promise<unknown> | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
};

/**
 * Runs a route that permits it in parallel with its gates, for the cached caller of its credential. All other
 * routes run after their gates. Speculation decides nothing: a response is sent only after the gates of the same
 * request have confirmed the same caller. The first request of a credential waits for its gates.
 */
export function besideGates(knownCallers: KnownCallers, route: Route, { gates, handle }: Parts): Stages {
  const serve: Stages['serve'] = (request, reply) => handle(request.svc.caller, undefined, request, reply);
  if (!route.beginsEarly && !route.readEarly) return { admit: gates, serve };

  const confirm = async (request: FastifyRequest, credential: string): Promise<Caller> => {
    try {
      const caller = await gates(request);
      knownCallers.keep(credential, caller);
      return caller;
    } catch (error) {
      knownCallers.forget(credential);
      throw error;
    }
  };

  const serveEarly = async (
    speculation: Speculation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> => {
    const read = route.readEarly;
    if (!read) return runEarly(speculation, (caller) => handle(caller, undefined, request, reply));
    const { caller, early } = await readEarly(speculation, (caller) => read({ caller, request }));
    return handle(caller, early, request, reply);
  };

  return {
    admit: async (request) => {
      const credential = credentialOf(request);
      const caller = knownCallers.of(credential);
      const confirmed = confirm(request, credential);
      if (!caller || accessRefusal(route.endpoint.access, caller)) return confirmed;
      // The handler or the error handler awaits it and gets the refusal. This catch prevents an unhandled
      // rejection.
      confirmed.catch(() => undefined);
      request.svc.speculation = { caller, confirmed };
      return undefined;
    },
    serve: (request, reply) => {
      const { speculation } = request.svc;
      return speculation ? serveEarly(speculation, request, reply) : serve(request, reply);
    },
  };
}

/** Returns the refusal of gates that run in parallel with the request. Undefined if they pass or ran before it. */
export async function lateRefusal(request: FastifyRequest): Promise<unknown> {
  return request.svc?.speculation?.confirmed.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
}
