import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';

/** Protocol eras: messages of 2026-07-28 have an envelope, messages of 2025-11-25 and before have none. */
export type Era = 'current' | 'older';

/**
 * A regular `tools/call`: every member and header is supported, valid and without influence on the response format.
 * The SDK handles all other messages, because only the SDK implements the protocol's errors.
 */
export type OrdinaryCall = {
  readonly era: Era;
  readonly id: string | number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** Reads ordinary calls, and writes their responses. */
export type OrdinaryCalls = {
  /** Returns undefined for every message that the SDK must answer. */
  readonly read: (request: Pick<FastifyRequest, 'headers' | 'body'>) => OrdinaryCall | undefined;
  /** Returns the text of the message that the SDK would send for a result. */
  readonly answer: (call: OrdinaryCall, result: CallToolResult) => string;
};

export const currentRevision = '2026-07-28';
const method = 'tools/call';
const olderRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasOnly(value: Members, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(value)) if (!names.has(name)) return false;
  return true;
}

const messageMembers = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramsMembers = new Set(['name', 'arguments', '_meta']);
/** Envelope members of an ordinary call. A log level is not among them. */
const envelopeMembers = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
]);

const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Returns true if the client accepts both response types. A wildcard accepts both. */
const takesBoth = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept.startsWith('*/*') ||
  (accept.includes('application/json') && accept.includes('text/event-stream'));

type Message = Omit<OrdinaryCall, 'era'> & {
  /** `_meta` of the params without the progress token, because no tool reports progress. */
  readonly meta: Members;
};

/** Returns the members of a `tools/call`; undefined for any other message, and for a call with more members. */
function messageOf(body: unknown): Message | undefined {
  if (!isObject(body) || !hasOnly(body, messageMembers)) return undefined;
  const { jsonrpc, id, params } = body;
  if (jsonrpc !== '2.0' || body['method'] !== method) return undefined;
  if (typeof id !== 'string' && !isInteger(id)) return undefined;
  if (!isObject(params) || !hasOnly(params, paramsMembers)) return undefined;
  const { name, arguments: given = {}, _meta: metadata = {} } = params;
  if (typeof name !== 'string' || !isObject(given) || !isObject(metadata)) return undefined;
  const { progressToken, ...meta } = metadata;
  return isToken(progressToken) ? { id, name, arguments: given, meta } : undefined;
}

const isToken = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || isInteger(value);

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Creates the reader of ordinary calls.
 *
 * @param tools.has Returns true for the name of a tool.
 * @param tools.server Server info in responses of the current era.
 */
export function createOrdinaryCalls(tools: {
  readonly has: (name: string) => boolean;
  readonly server: Readonly<Record<string, unknown>>;
}): OrdinaryCalls {
  const isEnvelope = rememberingEnvelopes();
  const resultMeta = { [SERVER_INFO_META_KEY]: tools.server };

  /** Returns true if the envelope names the current revision and the headers match the message. */
  const isCurrent = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string, meta: Members): boolean =>
    headers['mcp-protocol-version'] === currentRevision &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === name &&
    hasOnly(meta, envelopeMembers) &&
    isEnvelope(meta);

  const isOlder = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
    const revision = headers['mcp-protocol-version'];
    return revision === undefined || (typeof revision === 'string' && olderRevisions.has(revision));
  };

  return {
    read: (request) => {
      const { headers, body } = request;
      if (!jsonType.test(headers['content-type'] ?? '') || !takesBoth(headers.accept)) return undefined;
      const message = messageOf(body);
      if (!message || !tools.has(message.name)) return undefined;
      const { meta, ...call } = message;
      if (Object.keys(meta).length === 0) return isOlder(request) ? { era: 'older', ...call } : undefined;
      return isCurrent(request, call.name, meta) ? { era: 'current', ...call } : undefined;
    },

    answer: ({ era, id }, { content, structuredContent, isError }) => {
      const result = {
        content,
        ...(structuredContent !== undefined && { structuredContent }),
        ...(isError !== undefined && { isError }),
        ...(era === 'current' && { resultType: 'complete', _meta: resultMeta }),
      };
      return JSON.stringify({ result, jsonrpc: '2.0', id });
    },
  };
}

const envelopesMax = 200;
const envelopeLengthMax = 2_000;

/**
 * Returns the SDK's validation of envelopes, cached by their text: a client sends the same envelope with each
 * message. Only valid envelopes are cached.
 */
function rememberingEnvelopes(): (meta: Members) => boolean {
  const valid = new Set<string>();
  return (meta) => {
    const text = JSON.stringify(meta);
    if (valid.has(text)) return true;
    if (text.length > envelopeLengthMax || !isValidEnvelope(meta)) return false;
    const [oldest] = valid.size >= envelopesMax ? valid : [];
    if (oldest !== undefined) valid.delete(oldest);
    valid.add(text);
    return true;
  };
}

function isValidEnvelope(meta: Members): boolean {
  const classified = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: currentRevision,
    mcpMethodHeader: method,
    body: { jsonrpc: '2.0', id: 0, method, params: { name: '', _meta: meta } },
  });
  return classified.kind === 'modern' && classified.classification.revision === currentRevision;
}
