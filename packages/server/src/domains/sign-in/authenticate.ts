import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';

/**
 * One way to say who calls. Undefined: the request does not use it. A credential that is recognised but bad ends in a
 * 401 refusal and never falls through to the next way.
 */
export type Authenticator = (request: FastifyRequest) => Promise<Caller | undefined>;

/** Tries the ways in their order; the first that applies decides. */
export const authenticateBy =
  (ways: readonly Authenticator[]) =>
  async (request: FastifyRequest): Promise<Caller> => {
    for (const way of ways) {
      const caller = await way(request);
      if (caller) return caller;
    }
    return anonymousCaller;
  };
