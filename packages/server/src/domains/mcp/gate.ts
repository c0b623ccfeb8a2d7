import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import type { RouteGate } from '../../platform/http/index.ts';
import { challengeOf } from '../../platform/mcp/index.ts';

/** JSON-RPC response to a body that is not valid JSON. It has no id, because the message's id is unknown. */
const unparsable = {
  jsonrpc: '2.0',
  error: { code: -32_700, message: 'Parse error: the body is not valid JSON.' },
  id: null,
};

const bearer = /^bearer +(\S.*)$/i;

/**
 * Creates the gate of `/svc/mcp`. It accepts an API key, or an access token whose caller is in the mapping. It ignores
 * cookies, so that no web page can use the endpoint with a visitor's session. Refusals contain the challenge that leads
 * a client to the authorization server.
 */
export function createMcpGate(deps: {
  readonly checkOrigin: (request: FastifyRequest) => void;
  readonly byKey: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Undefined while access tokens are disabled. */
  readonly callerOfToken: ((token: string) => Promise<Caller>) | undefined;
  /** Returns the URL of the protected-resource document for a request. */
  readonly metadataUrl: (request: FastifyRequest) => string;
}): RouteGate {
  return {
    authenticate: async (request) => {
      deps.checkOrigin(request);
      const byKey = await deps.byKey(request);
      if (byKey) return byKey;
      const [, token] = bearer.exec(request.headers.authorization ?? '') ?? [];
      return token !== undefined && deps.callerOfToken ? deps.callerOfToken(token.trim()) : anonymousCaller;
    },
    refuse: (refusal, request) =>
      challengeOf(refusal, {
        metadataUrl: deps.metadataUrl(request),
        scope: 'Execute',
        hasCredential: refusal.code !== 'unauthorized',
      }),
    bodyOf: ({ code }) => (code === 'invalid-json' ? unparsable : undefined),
  };
}
