import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { accessRefusal } from '../access/guard.ts';
import { HttpProblem } from './refusals/http-problem.ts';
import type { Route } from './route.ts';

/** What the gates of all routes ask. */
export type GateOptions = {
  /** Says who calls, before the body is read. Throws a 401 refusal for a credential that is recognised but bad. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Refuses a cookie caller without a valid antiforgery header. */
  readonly checkAntiforgery: (request: FastifyRequest, caller: Caller) => void;
};

/**
 * The gates of a route, before the body is read: who calls, may they, and did their browser mean it.
 *
 * @returns a function that notes who calls, and throws the refusal of the first gate that has one.
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
