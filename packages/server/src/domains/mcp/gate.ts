import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import type { RouteGate } from '../../platform/http/index.ts';
import { challengeOf } from '../../platform/mcp/index.ts';

/** How JSON-RPC says that a message is no JSON; it has no id that could be answered. */
const unparsable = {
  jsonrpc: '2.0',
  error: { code: -32_700, message: 'Parse error: the body is not valid JSON.' },
  id: null,
};

const bearer = /^bearer +(\S.*)$/i;

/**
 * Who may come to `/svc/mcp`: an API key, or an access token that the caller mapping knows. Cookies never count here,
 * so that no page can use the endpoint with its visitor's session. Refusals carry the challenge that leads a client to
 * the authorization server.
 */
export function createMcpGate(deps: {
  readonly checkOrigin: (request: FastifyRequest) => void;
  readonly byKey: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Undefined while access tokens are off. */
  readonly callerOfToken: ((token: string) => Promise<Caller>) | undefined;
  /** Address of the protected-resource document, as this request would see it. */
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
