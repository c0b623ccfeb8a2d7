import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Caller, executeRequired } from '../access/index.ts';
import { answered } from '../http/index.ts';
import type { McpFacts } from './facts.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { currentRevision } from './fast-path/ordinary-calls.ts';

/**
 * Creates the server instance of one request. Instances are never shared, so that no message can reach the wrong
 * client.
 */
export type ServerFactory = (
  facts: McpFacts,
  context: McpRequestContext,
) => McpServer | Server | Promise<McpServer | Server>;

export type Serving = {
  /** Begins to read data for an ordinary call; undefined for every other message. Only reads. */
  readonly readEarly: (
    caller: Caller,
    request: Pick<FastifyRequest, 'headers' | 'body'>,
  ) => Promise<unknown> | undefined;
  /** Answers one request that has passed the gates and whose body is parsed. */
  readonly answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    facts: McpFacts,
  ) => Promise<typeof answered>;
  readonly close: () => Promise<void>;
};

type Answer = (request: Request, body: unknown, facts: McpFacts) => Promise<Response>;

const keepAliveMs = 15_000;
/** Maximum number of streams that wait for changes. The server announces none, so clients rarely open one. */
const subscriptionsMax = 256;
const clientGone = 499;

/** Replacement for the product's server, for tests of the protocol itself. */
export type ServingOverride = {
  readonly factory: ServerFactory;
  readonly legacy?: Answer;
};

/**
 * Serves both protocol eras over one POST route, statelessly. The SDK's handler serves clients of 2026-07-28. A
 * sessionless transport with JSON responses serves clients of 2025-11-25 and before. The fast path answers ordinary
 * tool calls directly, with the same text. The SDK answers all other messages and reports every error.
 *
 * @param legacy Replaces the transport of the older era, for servers that need sessions.
 * @param fastPath Absent: the SDK answers every message.
 */
export function createServing(options: {
  readonly factory: ServerFactory;
  readonly log: Logger;
  readonly legacy?: Answer | undefined;
  readonly fastPath?: FastPath | undefined;
}): Serving {
  const { log, fastPath } = options;
  const onerror = (error: Error): void => log.debug({ reason: error.message }, 'an MCP message was refused');
  const factory = (context: McpRequestContext) => options.factory(factsOf(context), context);
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    keepAliveMs,
    maxSubscriptions: subscriptionsMax,
    onerror,
  });
  const legacy = options.legacy ?? answerLegacy(factory, onerror);

  return {
    readEarly: (caller, request) => fastPath?.readEarly(caller, request),
    answer: async (request, reply, facts) => {
      // Independent of the host's gates: MCP requires the Execute scope.
      if (!facts.caller.scopes?.has('Execute')) throw executeRequired(facts.caller);
      const outcome = await fastPath?.answer(request, facts);
      if (outcome?.text !== undefined) return sendText(reply, outcome.text, facts);
      const mcpFacts: McpFacts = outcome ? { ...facts, failure: outcome.failure } : facts;
      const body: unknown = request.body;
      const web = toWebRequest(request, facts.signal);
      const isLegacy = !claimsCurrent(request, body) && (await isLegacyRequest(web, body));
      const response = isLegacy
        ? await legacy(web, body, mcpFacts)
        : await modern.fetch(web, { parsedBody: body, authInfo: authInfoOf(mcpFacts) });
      return send(reply, response);
    },
    close: async () => {
      fastPath?.close();
      await modern.close();
    },
  };
}

const asIs = (text: string): string => text;

function sendText(reply: FastifyReply, text: string, { signal }: McpFacts): typeof answered {
  if (signal.aborted) reply.code(clientGone).send();
  else reply.header('content-type', 'application/json').serializer(asIs).send(text);
  return answered;
}

/**
 * Returns true if the header and the envelope of a message name the current revision. This replaces the SDK's own
 * classification, which reads the full message, because its result is then certain. The SDK's handler validates the
 * message later.
 */
function claimsCurrent(request: FastifyRequest, body: unknown): boolean {
  if (request.headers['mcp-protocol-version'] !== currentRevision) return false;
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] === currentRevision;
}

/** Serves one request with its own server instance and transport. Both close after the response or a disconnect. */
const answerLegacy =
  (
    factory: (context: McpRequestContext) => ReturnType<ServerFactory>,
    onerror: (error: Error) => void,
  ): Answer =>
  async (request, parsedBody, facts) => {
    const authInfo = authInfoOf(facts);
    const server = await factory({ era: 'legacy', authInfo, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    transport.onerror = onerror;
    await server.connect(transport);
    const disconnected = Promise.withResolvers<Response>();
    const onAbort = () => disconnected.resolve(new Response(null, { status: clientGone }));
    if (request.signal.aborted) onAbort();
    else request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([
        transport.handleRequest(request, { authInfo, parsedBody }),
        disconnected.promise,
      ]);
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      await server.close();
    }
  };

/** The SDK passes this on with the request. It does not contain the credential. */
const authInfoOf = (facts: McpFacts) => ({
  token: '',
  clientId: '',
  scopes: [...(facts.caller.scopes ?? [])],
  extra: { facts },
});

function factsOf(context: McpRequestContext): McpFacts {
  const facts = context.authInfo?.extra?.['facts'];
  if (!facts) throw new Error('An MCP request came past the gates.');
  // Only `authInfoOf` sets it.
  return facts as McpFacts;
}

/** Headers that are not passed on: credentials, and the framing of an already parsed body. */
const droppedHeaders = new Set([
  'authorization',
  'cookie',
  'content-length',
  'transfer-encoding',
  'connection',
]);
const bothKinds = 'application/json, text/event-stream';

function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || droppedHeaders.has(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // `*/*` and a missing header accept both response types.
  const accept = request.headers.accept;
  if (accept === undefined || /^\*\/\*/.test(accept)) headers.set('accept', bothKinds);
  return new Request(`http://${request.headers.host ?? 'localhost'}${request.url}`, {
    method: request.method,
    headers,
    signal,
  });
}

async function send(reply: FastifyReply, response: Response): Promise<typeof answered> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  const { body } = response;
  if (body === null) reply.send();
  else if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    reply.send(Readable.fromWeb(body as never));
  } else reply.serializer(asIs).send(await response.text());
  return answered;
}
