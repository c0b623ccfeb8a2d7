import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { accessRefusal } from '../access/guard.ts';
import { HttpProblem } from './refusals/http-problem.ts';
import type { Route } from './route.ts';

/** Dependencies of the gates of all routes. */
export type GateOptions = {
  /** Authenticates the caller before the body is read. Throws a 401 refusal for a recognised but invalid credential. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Refuses a cookie caller without a valid antiforgery header. */
  readonly checkAntiforgery: (request: FastifyRequest, caller: Caller) => void;
};

/**
 * Returns the gates of a route, which run before the body is read: authentication, authorization, and the
 * antiforgery check.
 *
 * @returns a function that stores the caller in the request, and throws the refusal of the first failing gate.
 */
export function gatesOf(
  { endpoint, gate }: Route,
  options: GateOptions,
): (request: FastifyRequest) => Promise<Caller> {
  const { access } = endpoint;
  return async (request) => {
    try {
      const caller = await (gate ?? options).authenticate(request);
      request.svc.caller = caller;
      const refusal = accessRefusal(access, caller);
      if (refusal) throw refusal;
      if (access.needsAntiforgery) options.checkAntiforgery(request, caller);
      return caller;
    } catch (error) {
      throw gate && error instanceof HttpProblem ? gate.refuse(error, request) : error;
    }
  };
}
