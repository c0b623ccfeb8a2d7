import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';

/**
 * Authenticates one kind of credential. Returns undefined when the request does not use it. An invalid credential of
 * this kind causes a 401 refusal. The next authenticator is not tried then.
 */
export type Authenticator = (request: FastifyRequest) => Promise<Caller | undefined>;

/** Tries the authenticators in their order. The first that applies decides. */
export const authenticateBy =
  (ways: readonly Authenticator[]) =>
  async (request: FastifyRequest): Promise<Caller> => {
    for (const way of ways) {
      const caller = await way(request);
      if (caller) return caller;
    }
    return anonymousCaller;
  };
