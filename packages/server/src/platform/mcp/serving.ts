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

/** Makes the server instance of one request; none is ever shared, so nothing can reach the wrong client. */
export type ServerFactory = (
  facts: McpFacts,
  context: McpRequestContext,
) => McpServer | Server | Promise<McpServer | Server>;

export type Serving = {
  /** Begins to read what an ordinary call needs; undefined for every other message. Nothing is done but reading. */
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
/** Streams that wait for changes; we announce none, so few are ever wanted. */
const subscriptionsMax = 256;
const clientGone = 499;

/** Another server than the product's, for tests of the protocol itself. */
export type ServingOverride = {
  readonly factory: ServerFactory;
  readonly legacy?: Answer;
};

/**
 * Serves both protocol eras over one POST route, statelessly: clients of 2026-07-28 by the SDK's own handler, those
 * of 2025-11-25 and before by a transport without sessions that answers in JSON. The fast path answers ordinary
 * calls of tools straight from the tools, with the same words; the SDK answers all others, and tells every error.
 *
 * @param legacy  serves the older era instead; for servers that need sessions.
 * @param fastPath  absent: everything goes through the SDK.
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
      // Whatever gates the endpoint was mapped behind: without Execute there is no MCP.
      if (!facts.caller.scopes?.has('Execute')) throw executeRequired(facts.caller);
      const outcome = await fastPath?.answer(request, facts);
      if (outcome?.text !== undefined) return sendText(reply, outcome.text, facts);
      const told: McpFacts = outcome ? { ...facts, failure: outcome.failure } : facts;
      const body: unknown = request.body;
      const web = toWebRequest(request, facts.signal);
      const isLegacy = !claimsCurrent(request, body) && (await isLegacyRequest(web, body));
      const response = isLegacy
        ? await legacy(web, body, told)
        : await modern.fetch(web, { parsedBody: body, authInfo: authInfoOf(told) });
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
 * True for a message that says in its header and in its envelope that it is of the current revision: the SDK's own
 * question, which reads the whole message, has one answer then. Its handler reads the message all the same.
 */
function claimsCurrent(request: FastifyRequest, body: unknown): boolean {
  if (request.headers['mcp-protocol-version'] !== currentRevision) return false;
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] === currentRevision;
}

/** One instance and one transport a request; both end with it, whether it was answered or its client left. */
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
    const left = Promise.withResolvers<Response>();
    const onAbort = () => left.resolve(new Response(null, { status: clientGone }));
    if (request.signal.aborted) onAbort();
    else request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([transport.handleRequest(request, { authInfo, parsedBody }), left.promise]);
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      await server.close();
    }
  };

/** The SDK carries this beside the request; the credential itself goes no further than the gates. */
const authInfoOf = (facts: McpFacts) => ({
  token: '',
  clientId: '',
  scopes: [...(facts.caller.scopes ?? [])],
  extra: { facts },
});

function factsOf(context: McpRequestContext): McpFacts {
  const facts = context.authInfo?.extra?.['facts'];
  if (!facts) throw new Error('An MCP request came past the gates.');
  // Put there by `authInfoOf` alone.
  return facts as McpFacts;
}

/** Never handed on: credentials, and what speaks of a body that is parsed already. */
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
  // Whoever takes anything takes both kinds of answer.
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
