import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isAnswer } from './declare-endpoint.ts';

/** Headers of an answer, by their lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** How a kind of server sends what an endpoint answers. */
export type Transport<T> = {
  response(target: T): ServerResponse;
  /**
   * Sends an answer that is whole.
   *
   * @param text undefined: it has no body.
   * @returns what the server's own handler has to return for it.
   */
  send(target: T, status: number, headers: AnswerHeaders, text: string | undefined): unknown;
  /** Begins an answer that is written piece by piece. */
  begin(target: T, status: number, headers: AnswerHeaders): ServerResponse;
  /** What the server's own handler has to return when nothing is left to be sent. */
  sent(target: T): unknown;
};

/** Writes to the response itself. */
export const nodeTransport: Transport<ServerResponse> = {
  response: (response) => response,
  send: (response, status, headers, text) => {
    response.statusCode = status;
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    response.end(text);
  },
  begin: (response, status, headers) => response.writeHead(status, headers),
  sent: () => undefined,
};

const problemHeaders = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
/** Type of an answer in JSON. */
export const jsonContentType = 'application/json; charset=utf-8';
/** The headers of an answer in JSON that has none of its own. */
export const jsonHeaders: AnswerHeaders = { 'content-type': jsonContentType };
const noHeaders = {};
const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Sends an error as problem+json. */
export function sendProblem<T>(
  transport: Transport<T>,
  target: T,
  status: number,
  detail: string,
  headers?: AnswerHeaders,
): unknown {
  if (transport.response(target).headersSent) return transport.sent(target);
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  return transport.send(target, status, { ...problemHeaders, ...headers }, JSON.stringify(problem));
}

/** Sends a value as JSON. */
export function sendJson<T>(
  transport: Transport<T>,
  target: T,
  status: number,
  value: unknown,
  headers?: AnswerHeaders,
): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The answer cannot be written as JSON.');
  return transport.send(
    target,
    status,
    headers ? { ...jsonHeaders, ...lowerCased(headers) } : jsonHeaders,
    text,
  );
}

const lowerCased = (headers: AnswerHeaders): AnswerHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function sendEvents<T>(
  transport: Transport<T>,
  target: T,
  events: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const response = transport.begin(target, 200, eventHeaders);
  for await (const event of events) {
    if (signal.aborted) return transport.sent(target);
    const isRoom = response.write(`data: ${JSON.stringify(event)}\n\n`);
    // A client that reads slowly is waited for; one that goes away ends the wait.
    if (!isRoom) await once(response, 'drain', { signal }).catch(() => undefined);
  }
  response.end();
  return transport.sent(target);
}

/**
 * Sends what a handler returned.
 *
 * @param signal asked for when the answer is a stream: it ends when the client goes away.
 * @returns what the server's own handler has to return; a promise of it for a stream.
 */
export function sendAnswer<T>(
  transport: Transport<T>,
  target: T,
  value: unknown,
  signal: () => AbortSignal,
): unknown {
  if (isAsyncIterable(value)) return sendEvents(transport, target, value, signal());
  const own = isAnswer(value) ? value : null;
  const body = own ? own.body : value;
  if (body !== undefined && body !== null) {
    return sendJson(transport, target, own?.status ?? 200, body, own?.headers);
  }
  return transport.send(target, own?.status ?? 204, own ? lowerCased(own.headers) : noHeaders, undefined);
}
